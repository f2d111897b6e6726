import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../tidy/source-text.ts'
import type { SourceTree } from '../tidy/tree.ts'
import { countFilesToRead, countLines, countTouches, listShortFiles, listSingleImporterFiles } from './count-files.ts'
import { walkCalls } from './walk-calls.ts'

const folder = 'packages/server/src/domains/orders'
const long = '\n'.repeat(20)

function makeTree(texts: Readonly<Record<string, string>>): SourceTree {
  const files = new Map(Object.entries(texts))
  const code = new Map([...files].map(([path, text]) => [path, readSource(text)]))
  return { root: '/', files, code, operations: ['orders.place'] }
}

const tree = makeTree({
  [`${folder}/operations/orders.place.ts`]: `import { price } from '../price.ts'
import { hold, type Hold } from '../hold.ts'
export const handler = defineHandler(async (call, input) => {
  const quote = price(input)
  return input.lines.map((line): Hold => hold(quote, line))
})
${long}`,
  [`${folder}/price.ts`]: `import { round } from './round.ts'
export function price(input: Input): number {
  return round(input.a) + round(input.b)
}
${long}`,
  [`${folder}/round.ts`]: `export const round = (value: number): number => Math.round(value)`,
  [`${folder}/hold.ts`]: `export function hold(): Hold {\n  return never()\n}\n${long}`,
  'docs/operations.txt': 'orders.place  orders:write',
})

test('a walk lists the files that it stays in, and ends in the function that was named', () => {
  const start = { file: `${folder}/operations/orders.place.ts`, name: 'handler' }
  const files = walkCalls(tree, start, 'hold').map(({ file }) => file.slice(folder.length + 1))
  assert.deepEqual(files, [
    'operations/orders.place.ts',
    'price.ts',
    'round.ts',
    'price.ts',
    'round.ts',
    'price.ts',
    'operations/orders.place.ts',
    'hold.ts',
  ])
})

test('files are counted by their length, their importers, and what an operation imports of its module', () => {
  assert.deepEqual(listShortFiles(tree), [`${folder}/round.ts`])
  assert.deepEqual(listSingleImporterFiles(tree), [`${folder}/round.ts`])
  assert.deepEqual(countFilesToRead(tree), [4])
  assert.deepEqual(countTouches(tree), { written: [1], printed: [1] })
  assert.deepEqual(['', 'a', 'a\n', 'a\nb'].map(countLines), [1, 1, 1, 2])
})
