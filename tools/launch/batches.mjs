import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Most of a small test file's time is the loading of a thousand modules, which files of one process share. */
const files_per_batch = 12

/**
 * Programs that each run several test files, one after the other, every file as a suite of its own: its hooks are its own,
 * and it begins when the one before has ended. Neighbours, which are often alike, go to different ones.
 *
 * @param {readonly string[]} files paths from the root
 * @param {string} root
 * @param {number} processes how many run side by side
 * @returns {string[]} paths of the programs
 */
export function writeBatches(files, root, processes) {
  const count = Math.min(files.length, Math.max(processes, Math.ceil(files.length / files_per_batch)))
  const folder = join(root, 'node_modules', '.cache', 'tests')
  mkdirSync(folder, { recursive: true })
  return Array.from({ length: count }, (_, batch) => {
    const program = programOf(
      files.filter((_file, index) => index % count === batch),
      root,
    )
    // The name is the content: runs at the same time do not meet, and a later one finds what it needs.
    const path = join(folder, `${createHash('sha256').update(program).digest('hex').slice(0, 16)}.mjs`)
    writeFileSync(path, program)
    return path
  })
}

/**
 * @param {readonly string[]} files
 * @param {string} root
 */
const programOf = (files, root) => `import { suite } from 'node:test'
const files = ${JSON.stringify(files, null, 2)}
for (const file of files) await suite(file, () => import(\`${pathToFileURL(root).href}/\${file}\`))
`
