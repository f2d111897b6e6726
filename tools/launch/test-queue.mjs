import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * A queue of test files for several processes: a process loads shared modules once and reuses its database engine. The
 * longest files come first, so that no process ends with one: the long lane before the short one, each by size.
 *
 * @param {readonly string[]} files paths from the root
 * @param {string} root
 * @param {number} processes how many run in parallel
 * @returns {{ programs: string[], remove: () => void }} programs to run, one per process; `remove` deletes the queue
 */
export function createTestQueue(files, root, processes) {
  const folder = mkdtempSync(join(tmpdir(), 'swath-test-queue-'))
  const bySize = files.map((file) => ({ file, bytes: statSync(join(root, file)).size }))
  bySize.sort((one, other) => Number(isLong(other.file)) - Number(isLong(one.file)) || other.bytes - one.bytes)
  const queue = bySize.map(({ file }) => ({ file, url: pathToFileURL(join(root, file)).href }))
  const needsDatabase = files.some((file) => opensDatabase(root, file))
  const modules = needsDatabase ? databaseModules.map((path) => pathToFileURL(join(root, path)).href) : null
  writeFileSync(join(folder, 'queue.json'), JSON.stringify(queue))
  const count = Math.max(1, Math.min(files.length, processes))
  const programs = Array.from({ length: count }, (_, index) => {
    const program = join(folder, `process-${index + 1}.mjs`)
    writeFileSync(program, programSource(folder, modules))
    return program
  })
  return { programs, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** @param {string} file */
export const isLong = (file) => file.endsWith('.long.test.ts')

/** Imports of the fixtures that open a database. */
const databaseImports =
  /\/test\/(database|test-app|test-services|identity-test-app)\.ts'|from '\.\.\/(database|test-app|test-services)\.ts'/

/**
 * Whether a test file opens a database, judging by its imports.
 *
 * @param {string} root
 * @param {string} file path from the root
 */
export const opensDatabase = (root, file) => databaseImports.test(readFileSync(join(root, file), 'utf8'))

/**
 * Whether `npm run test:postgres` runs a file: tests of the server that open a database, but those of the embedded one. No
 * other package can access a database (see tools/tidy/boundaries.ts).
 *
 * @param {string} root
 * @param {string} file path from the root
 */
export const runsOnServer = (root, file) =>
  file.startsWith('packages/server/') && !file.includes('platform/database/embedded/') && opensDatabase(root, file)

/** They start the engine while the first file is loaded, collect the statements of all files, and check them after the last one. */
const databaseModules = ['database', 'statements/collect-statements', 'statements/assert-distributable'].map(
  (name) => `packages/server/test/${name}.ts`,
)

/**
 * @param {string} folder
 * @param {string[] | null} modules URLs of `databaseModules`; null if no file opens a database
 */
const programSource = (folder, modules) => `import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { claimNext } from ${JSON.stringify(import.meta.url)}
const folder = ${JSON.stringify(folder)}
const queue = JSON.parse(readFileSync(folder + '/queue.json', 'utf8'))
const [database, collect, check] = ${JSON.stringify(modules ?? [])}
if (database) await (await import(database)).prestartEngine()
const collected = collect && (await import(collect)).collectStatements()
for (let index; (index = claimNext(folder, queue.length)) !== null; ) {
  const { file, url } = queue[index]
  await suite(file, () => import(url))
}
if (collected) test('the statements of these files fit an engine that is distributed by organization', async () =>
  (await import(check)).assertDistributable(collected.statements))
`

/**
 * Claims the first unclaimed file and returns its index; null if there is none. Exclusive creation of a marker file is the
 * atomic step.
 *
 * @param {string} folder
 * @param {number} length
 * @returns {number | null}
 */
export function claimNext(folder, length) {
  const claimed = new Set(readdirSync(folder))
  for (let index = 0; index < length; index++) {
    if (claimed.has(`taken-${index}`)) continue
    try {
      closeSync(openSync(join(folder, `taken-${index}`), 'wx'))
      return index
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
  }
  return null
}
