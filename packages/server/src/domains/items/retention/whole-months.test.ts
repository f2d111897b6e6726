import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWholeMonths } from './whole-months.ts'

const rows: [from: string | null, to: string | null, months: [from: string | null, before: string | null] | null][] = [
  ['2020-01-01T00:00:00.000Z', '2020-03-01T00:00:00.000Z', ['2020-01-01T00:00:00.000Z', '2020-03-01T00:00:00.000Z']],
  ['2020-01-01T00:00:00.001Z', '2020-03-31T23:59:59.999Z', ['2020-02-01T00:00:00.000Z', '2020-03-01T00:00:00.000Z']],
  ['2019-12-31T23:59:59.999Z', '2020-02-15T00:00:00.000Z', ['2020-01-01T00:00:00.000Z', '2020-02-01T00:00:00.000Z']],
  ['2020-01-02T00:00:00.000Z', '2020-02-20T00:00:00.000Z', null],
  ['2020-01-05T00:00:00.000Z', '2020-01-06T00:00:00.000Z', null],
  [null, '2020-01-31T12:00:00.000Z', [null, '2020-01-01T00:00:00.000Z']],
  ['9999-12-02T00:00:00.000Z', null, null],
  ['0050-12-31T12:00:00.000Z', null, ['0051-01-01T00:00:00.000Z', null]],
]

for (const [from, to, months] of rows) {
  test(`whole months between ${from} and ${to}`, () => {
    const span = findWholeMonths(from ? new Date(from) : null, to ? new Date(to) : null)
    assert.deepEqual(span && [span.from?.toISOString() ?? null, span.before?.toISOString() ?? null], months)
  })
}
