// test.mjs [name …] [--lane=long] [node flags]: runs the short lane, the long lane (`*.long.test.ts`: tests that take seconds, start
// processes or have long inputs), or, of both, the files whose path contains one of the names and none of those as !name.
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { commandsBuild, documentsBuild, ensureBuilt } from './builds.mjs'
import { ensureInstalled } from './install.mjs'
import { runAsChild, nodeFlags, runOrExit, pickNode, root } from './node.mjs'
import { createTestQueue, isLong, runsOnServer } from './test-queue.mjs'

const skipped = new Set(['node_modules', 'broken', '.data', 'fixtures'])

/**
 * @param {string} folder relative to the root, with slashes
 * @returns {string[]} paths of test files, sorted
 */
function testFiles(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : testFiles(path)
      return entry.name.endsWith('.test.ts') ? [path] : []
    })
    .sort()
}

/** Flags that select tests by name match the outermost name, which in a queue is that of the file. */
const nameFlags = /^--test-(name-pattern|skip-pattern|only)/
const longLane = '--lane=long'
/** Runs only the files that `npm run test:postgres` runs. */
const onServer = '--on-server'
/** Runs only the files that it does not run. */
const offServer = '--off-server'
/** Of a lane, every second file from the first one (0) or the second one (1) on; files that are named are all run. */
const halfFlag = /^--half=([01])$/
const isOwnFlag = (word) => [longLane, onServer, offServer].includes(word) || halfFlag.test(word)

/**
 * Test processes allocate many short-lived objects: fewer and larger collections, and no parallel collector threads, since
 * there is a process per core. Saves an eighth of the CPU time of a run.
 */
const gcFlags = ['--max-semi-space-size=32', '--single-threaded-gc']

runOrExit(() => {
  const args = process.argv.slice(2)
  const excludedNames = args.filter((word) => word.startsWith('!')).map((word) => word.slice(1))
  const names = args.filter((word) => !word.startsWith('-') && !word.startsWith('!'))
  const nodeFlagArgs = args.filter((word) => word.startsWith('-') && !isOwnFlag(word))
  const all = ['packages', 'apps', 'tools', 'verification'].flatMap(testFiles)
  const isChosen = (file) =>
    names.length > 0 ? names.some((name) => file.includes(name)) : isLong(file) === args.includes(longLane)
  const isWanted = (file) => !args.includes(runsOnServer(root, file) ? offServer : onServer)
  const half = names.length > 0 ? undefined : args.map((word) => halfFlag.exec(word)?.[1]).find(Boolean)
  const files = all
    .filter((file) => isChosen(file) && !excludedNames.some((name) => file.includes(name)) && isWanted(file))
    .filter((_file, index) => half === undefined || index % 2 === Number(half))
  if (files.length === 0) throw new Error(`No test file matches ${names.join(', ') || '*.test.ts'}.`)
  ensureInstalled(root, { dev: true })
  const [node, flags] = [pickNode(), nodeFlags()]
  for (const build of [documentsBuild, commandsBuild]) ensureBuilt(root, build, node, flags)
  // One more than there are cores: a test waits part of its time, for a timer or a thread.
  const processes = availableParallelism() + 1
  const { programs, remove } = nodeFlagArgs.some((flag) => nameFlags.test(flag))
    ? { programs: files, remove: () => {} }
    : createTestQueue(files, root, processes)
  process.once('exit', remove)
  const options = [`--test-concurrency=${processes}`, '--test-timeout=900000', ...nodeFlagArgs]
  runAsChild(node, [...flags, ...gcFlags, '--test', ...options, ...programs])
})
