import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { max_files_in_folder } from './budgets.ts'

const constants = (count: number, separator = '\n'): string =>
  Array.from({ length: count }, (_, index) => `export const row${index} = ${index}${separator}`).join('')

/** Files of a counter-example tree that is only long, by path. */
type LongTree = Readonly<Record<string, string>>

const engine = 'packages/server/src/engine'

const filesOfFolder = (folder: string, count: number): LongTree =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/file-${index}.ts`, 'export {}\n']))

/** Counter-example trees that are only long are written by the test instead of being stored. */
export const longTrees: Readonly<Record<string, LongTree>> = {
  budgets: {
    [`${engine}/long.ts`]: constants(301),
    // Comments and empty lines do not count.
    [`${engine}/spacious.ts`]: constants(250, '\n\n// A comment.\n\n'),
    'packages/contract/src/operations/billing.ts': constants(501),
    'packages/contract/src/operations/orders.ts': constants(400),
    'packages/client/src/operations.ts': constants(700),
    'README.md': `# Long\n${'word\n'.repeat(120)}`,
    ...filesOfFolder('packages/server/src/http', max_files_in_folder + 1),
    ...filesOfFolder('packages/server/src/platform', max_files_in_folder),
    ...filesOfFolder('packages/server/src/domains/items/operations', max_files_in_folder + 1),
    'expected.txt': [
      `${engine}/long.ts: has 301 lines of code; its budget is 300`,
      'packages/contract/src/operations/billing.ts: has 501 lines of code; its budget is 500',
      'README.md: has 121 lines; its budget is 120',
      'packages/server/src/http: has 41 files; at most 40 are in one folder',
    ].join('\n'),
  },
  'lint-file-length': { 'long.ts': constants(301) },
  'lint-function-length': {
    'long.ts': `export function long(): number {\n  let sum = 0\n${'  sum += 1\n'.repeat(60)}  return sum\n}\n`,
  },
}

/** Writes a tree below a folder. */
export function writeLongTree(folder: string, tree: LongTree): void {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
