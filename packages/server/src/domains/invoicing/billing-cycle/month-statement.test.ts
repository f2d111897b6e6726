import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { computeCommitmentTotals } from '../../contracts/commitment-rollup.ts'
import { type StatementLine, buildMonthlyStatement, buildClosingStatement } from './month-statement.ts'

const start = Date.UTC(2026, 0, 1)
const instant = fc.integer({ min: -40 * 24, max: 130 * 24 }).map((hours) => new Date(start + hours * 3_600_000))
const line: fc.Arbitrary<StatementLine> = fc.record({
  id: fc.uuid(),
  at: instant,
  product: fc.constant('Photographs'),
  quantity: fc.constant('1'),
  unit: fc.constant('km2'),
  rate_cents: fc.constant('350'),
  amount_cents: fc.integer({ min: -1000, max: 500_000 }),
  order_id: fc.constant(null),
  commitment_id: fc.option(fc.constant('c')),
})

test('the commitment totals of the statements of a period sum to the delivered amount', () => {
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const months = ['2026-01', '2026-02', '2026-03'].map((month) => buildMonthlyStatement(month, lines, null))
      const { delivered_cents } = computeCommitmentTotals({
        committed_cents: 100_000,
        period_start: new Date('2026-01-01T00:00:00Z'),
        period_end: new Date('2026-04-01T00:00:00Z'),
        carried_in_cents: 0,
        closed_at: null,
        invoiced: false,
        lines: lines.filter(({ commitment_id }) => commitment_id !== null),
        now: new Date('2026-04-01T00:00:00Z'),
      })
      assert.equal(
        months.reduce((sum, month) => sum + month.committed_cents, 0),
        delivered_cents,
      )
      for (const month of months) {
        assert.equal(
          month.total_cents,
          month.lines.reduce((sum, each) => sum + each.amount_cents, 0),
        )
        assert.ok(month.lines.every((each, index) => index === 0 || month.lines[index - 1]!.at <= each.at))
        assert.ok(month.lines.every(({ at }) => at.toISOString().startsWith(month.period)))
      }
    }),
  )
})

test('the order of the lines does not change the statement', () => {
  fc.assert(
    fc.property(fc.uniqueArray(line, { selector: ({ id }) => id }), (lines) => {
      assert.deepEqual(
        buildMonthlyStatement('2026-02', lines, null),
        buildMonthlyStatement('2026-02', lines.toReversed(), null),
      )
    }),
  )
})

test('a closed month keeps its stored statement, and an open one follows its lines', () => {
  const first: StatementLine = {
    id: '1',
    at: new Date('2026-02-03T00:00:00Z'),
    product: 'Photographs',
    quantity: 5,
    unit: 'km2',
    rate_cents: 350,
    amount_cents: 1750,
    order_id: null,
    commitment_id: 'c',
  }
  const late = { ...first, id: '2', amount_cents: 250, commitment_id: null }
  const open = buildMonthlyStatement('2026-02', [first], null)
  assert.deepEqual([open.total_cents, open.committed_cents, open.closed], [1750, 1750, false])
  const again = buildMonthlyStatement('2026-02', [late, first], open)
  assert.deepEqual([again.total_cents, again.committed_cents], [2000, 1750])
  assert.deepEqual(
    again.lines.map(({ id }) => id),
    ['1', '2'],
  )
  const closed = buildClosingStatement(open)
  assert.deepEqual(buildMonthlyStatement('2026-02', [late, first], closed), { ...open, closed: true })
  assert.equal(buildMonthlyStatement('2026-03', [late, first], closed).total_cents, 0)
})
