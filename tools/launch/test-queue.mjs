import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * A queue of test files that several processes take from: a process loads the modules that its files share once, and keeps the
 * engine of its databases. What takes longest comes first, so that no process is left with one at the end: files of the long lane
 * before the others, and of each lane the largest.
 *
 * @param {readonly string[]} files paths from the root
 * @param {string} root
 * @param {number} processes how many run side by side
 * @returns {{ programs: string[], remove: () => void }} programs to run, one a process; `remove` deletes the queue
 */
export function createTestQueue(files, root, processes) {
  const folder = mkdtempSync(join(tmpdir(), 'swath-test-queue-'))
  const bySize = files.map((file) => ({ file, bytes: statSync(join(root, file)).size }))
  bySize.sort((one, other) => Number(isLong(other.file)) - Number(isLong(one.file)) || other.bytes - one.bytes)
  const queue = bySize.map(({ file }) => ({ file, url: pathToFileURL(join(root, file)).href }))
  const wantsDatabase = files.some((file) => opensDatabase(root, file))
  const ahead = wantsDatabase ? pathToFileURL(join(root, databaseOfTests)).href : null
  writeFileSync(join(folder, 'queue.json'), JSON.stringify(queue))
  const count = Math.max(1, Math.min(files.length, processes))
  const programs = Array.from({ length: count }, (_, index) => {
    const program = join(folder, `process-${index + 1}.mjs`)
    writeFileSync(program, programOf(folder, ahead))
    return program
  })
  return { programs, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** @param {string} file */
export const isLong = (file) => file.endsWith('.long.test.ts')

/** The set-ups of tests that open a database. */
const setups = /\/test\/(database|setup|holdings|identity-setup)\.ts'|from '\.\.\/(database|setup|holdings)\.ts'/

/**
 * Whether a test file opens a database, as far as its imports tell.
 *
 * @param {string} root
 * @param {string} file path from the root
 */
export const opensDatabase = (root, file) => setups.test(readFileSync(join(root, file), 'utf8'))

/** Its engine starts while the rest of the first file is loaded. */
const databaseOfTests = 'packages/server/test/database.ts'

/**
 * @param {string} folder
 * @param {string | null} ahead the module that starts an engine before the first file is loaded
 */
const programOf = (folder, ahead) => `import { readFileSync } from 'node:fs'
import { suite } from 'node:test'
import { claimNext } from ${JSON.stringify(import.meta.url)}
const folder = ${JSON.stringify(folder)}
const queue = JSON.parse(readFileSync(folder + '/queue.json', 'utf8'))
${ahead === null ? '' : `await (await import(${JSON.stringify(ahead)})).startEngineAhead()`}
for (let index; (index = claimNext(folder, queue.length)) !== null; ) {
  const { file, url } = queue[index]
  await suite(file, () => import(url))
}
`

/**
 * The number of the first file that no process has taken yet, taken now; null when there is none left. Creating a file that must not
 * exist is the one step that only one process can win.
 *
 * @param {string} folder
 * @param {number} length
 * @returns {number | null}
 */
export function claimNext(folder, length) {
  const taken = new Set(readdirSync(folder))
  for (let index = 0; index < length; index++) {
    if (taken.has(`taken-${index}`)) continue
    try {
      closeSync(openSync(join(folder, `taken-${index}`), 'wx'))
      return index
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
  }
  return null
}
