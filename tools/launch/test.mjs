// test.mjs [name …] [node flags]: all tests, or those whose path contains one of the names.
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { writeBatches } from './batches.mjs'
import { ensureInstalled } from './install.mjs'
import { become, flags, orSayWhy, pickNode, root } from './node.mjs'

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

/** Flags that choose tests by name look at the outermost name, which in a batch is the file's. */
const byName = /^--test-(name-pattern|skip-pattern|only)/

orSayWhy(() => {
  const words = process.argv.slice(2)
  const names = words.filter((word) => !word.startsWith('-'))
  const given = words.filter((word) => word.startsWith('-'))
  const all = ['packages', 'apps', 'tools'].flatMap(testFiles)
  const files = names.length === 0 ? all : all.filter((file) => names.some((name) => file.includes(name)))
  if (files.length === 0) throw new Error(`No test file matches ${names.join(', ') || '*.test.ts'}.`)
  ensureInstalled(root, { dev: true })
  const processes = Math.max(2, availableParallelism() - 1)
  become(pickNode(), [
    ...flags,
    '--test',
    `--test-concurrency=${processes}`,
    '--test-timeout=900000',
    ...given,
    ...(given.some((flag) => byName.test(flag)) ? files : writeBatches(files, root, processes)),
  ])
})
