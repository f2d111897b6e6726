import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isInDateRange, toUtcMonth, toMonthRange, findPreviousMonth } from './months.ts'

test('the range of a month ends at the start of the next month', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['2026-02', '2026-02-01', '2026-03-01'],
    ['2024-02', '2024-02-01', '2024-03-01'],
    ['2026-12', '2026-12-01', '2027-01-01'],
    ['0099-12', '0099-12-01', '0100-01-01'],
  ]
  for (const [month, start, end] of table)
    assert.deepEqual(
      toMonthRange(month),
      { start: new Date(`${start}T00:00:00.000Z`), end: new Date(`${end}T00:00:00.000Z`) },
      month,
    )
  for (const wrong of ['2026-00', '2026-13', '2026-1', '26-01', '2026-01-01', ''])
    assert.throws(() => toMonthRange(wrong), RangeError, wrong)
})

test('the end of a month is exclusive', () => {
  const march = toMonthRange('2026-03')
  assert.ok(isInDateRange(march, march.start))
  assert.ok(isInDateRange(march, new Date('2026-03-31T23:59:59.999Z')))
  assert.ok(!isInDateRange(march, march.end))
  assert.equal(toUtcMonth(march.end), '2026-04')
})

test('the previous month of January, and of the last day of a long month', () => {
  assert.equal(findPreviousMonth(new Date('2026-01-01T00:00:00Z')), '2025-12')
  assert.equal(findPreviousMonth(new Date('2026-03-31T23:59:59.999Z')), '2026-02')
  assert.equal(findPreviousMonth(new Date('2024-03-30T12:00:00Z')), '2024-02')
})

test('every time is within its month and not within the previous one', () => {
  const instants = fc.date({ min: new Date('1000-01-01T00:00:00Z'), max: new Date('9998-12-31T00:00:00Z') })
  fc.assert(
    fc.property(
      instants.filter((at) => !Number.isNaN(Number(at))),
      (at) => {
        assert.ok(isInDateRange(toMonthRange(toUtcMonth(at)), at))
        const before = toMonthRange(findPreviousMonth(at))
        assert.ok(!isInDateRange(before, at))
        assert.equal(toUtcMonth(before.end), toUtcMonth(at))
      },
    ),
  )
})
