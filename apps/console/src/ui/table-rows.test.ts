import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCsv, searchRows, sortRows, type ValueColumn } from './table-rows.ts'

interface Row {
  readonly name: string
  readonly credits: number | null
}

const rows: readonly Row[] = [
  { name: 'Scene 10', credits: 5 },
  { name: 'scene 9', credits: null },
  { name: 'Area "B", north', credits: -12 },
]
const columns: readonly ValueColumn<Row>[] = [
  { title: 'Name', value: ({ name }) => name },
  { title: 'Credits', value: ({ credits }) => credits },
]
const names = (sorted: readonly Row[]) => sorted.map(({ name }) => name)

test('rows are sorted by number and by name, and those without a value are last', () => {
  assert.deepEqual(names(sortRows(rows, columns, { title: 'Name', isDescending: false })), [
    'Area "B", north',
    'scene 9',
    'Scene 10',
  ])
  for (const [isDescending, credits] of [
    [false, [-12, 5, null]],
    [true, [5, -12, null]],
  ] as const)
    assert.deepEqual(
      sortRows(rows, columns, { title: 'Credits', isDescending }).map((row) => row.credits),
      credits,
    )
  assert.equal(sortRows(rows, columns, null), rows)
})

test('rows are found by words of any of their cells', () => {
  assert.deepEqual(names(searchRows(rows, columns, 'SCENE')), ['Scene 10', 'scene 9'])
  assert.deepEqual(names(searchRows(rows, columns, 'north -12')), ['Area "B", north'])
  assert.deepEqual(searchRows(rows, columns, 'south'), [])
  assert.equal(searchRows(rows, columns, '  '), rows)
})

test('a CSV file quotes its texts and has no formulas', () => {
  const formula = { name: '=HYPERLINK("x")', credits: 1 }
  assert.equal(
    formatCsv([...rows, formula], columns),
    'Name,Credits\r\nScene 10,5\r\nscene 9,\r\n"Area ""B"", north",-12\r\n"\'=HYPERLINK(""x"")",1\r\n',
  )
})
