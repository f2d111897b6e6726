import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawNames, listExportedNames, type ExportedName } from './exported-names.ts'

test('listExportedNames returns the kind and the doc comment of each exported declaration', () => {
  const text = [
    '/** A row. */',
    'export interface Row { readonly id: string }',
    '',
    '/**',
    ' * Reads a row',
    ' * of a table.',
    ' */',
    'export async function readRow(): Promise<Row> {}',
    'export const toId = ({ id }: Row): string => id',
    'export const toIds = (rows: readonly Row[]) => rows.map(({ id }) => id)',
    'export const max_rows = (1 + 2) * 3',
    'const hidden = 1',
    '// export const commented = 1',
    'const text = `',
    'export const quoted = 1',
    '`',
  ].join('\n')
  assert.deepEqual(
    listExportedNames('row.ts', text).map(({ name, kind, docstring }) => [name, kind, docstring]),
    [
      ['Row', 'type', 'A row.'],
      ['readRow', 'function', 'Reads a row of a table.'],
      ['toId', 'function', null],
      ['toIds', 'function', null],
      ['max_rows', 'constant', null],
    ],
  )
})

test('drawNames draws the same different names for a seed, in any order of the input', () => {
  const names = Array.from({ length: 100 }, (_, index): ExportedName => ({
    name: `name${index % 50}`,
    kind: 'constant',
    file: `${index}.ts`,
    docstring: null,
  }))
  const drawn = drawNames(names, 30, 1)
  assert.equal(new Set(drawn.map(({ name }) => name)).size, 30)
  assert.deepEqual(drawNames(names.toReversed(), 30, 1), drawn)
  assert.notDeepEqual(drawNames(names, 30, 2), drawn)
  assert.equal(drawNames(names, 80, 1).length, 50)
})
