import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isProductCode, operationIdOf, readTree } from '../tidy/tree.ts'
import { drawNames, listExportedNames } from './exported-names.ts'

/**
 * Draws exported names of the packages at random, for a reader who has not seen the code and explains each from the name
 * alone: npm run names -- --seed 1 [--count 30]. The same with --answers prints doc comments and files to compare with.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '30' },
    answers: { type: 'boolean', default: false },
  },
})
const [seed, count] = [Number(values.seed), Number(values.count)]
if (!Number.isInteger(seed) || !Number.isInteger(count)) throw new Error('--seed and --count must be integers')

/** Generated from the contract: its names are drawn there. */
const generatedFile = 'packages/client/src/operations.ts'

/** Says whether names of a file are drawn; not those of an operation file, which follow from its id. */
const isDrawn = (path: string): boolean =>
  /^packages\/.*\.tsx?$/.test(path) && isProductCode(path) && path !== generatedFile && operationIdOf(path) === null

const { files } = readTree(join(import.meta.dirname, '..', '..'), [])
const names = [...files].filter(([path]) => isDrawn(path)).flatMap(([path, text]) => listExportedNames(path, text))
for (const [index, { name, kind, file, docstring }] of drawNames(names, count, seed).entries()) {
  console.log(`${String(index + 1).padStart(2)}. ${name} (${kind})`)
  if (values.answers) console.log(`    ${docstring ?? 'no doc comment'}\n    ${file}`)
}
