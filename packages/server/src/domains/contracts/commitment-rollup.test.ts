import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  countsTowardsPeriod,
  computeCommitmentTotals,
  type CommitmentRollupInput,
  type CommitmentChargeLine,
} from './commitment-rollup.ts'

const day = (text: string): Date => new Date(`${text}T00:00:00.000Z`)

const line = (at: Date, amount_cents: number): CommitmentChargeLine => ({
  at,
  product: 'Photographs',
  quantity: '1',
  rate_cents: amount_cents,
  amount_cents,
})

/** A period of 100 days and 1,000 AUD with nothing delivered, at its start. */
const rollupInput = (overrides: Partial<CommitmentRollupInput> = {}): CommitmentRollupInput => ({
  committed_cents: 100_000,
  period_start: day('2026-01-01'),
  period_end: day('2026-04-11'),
  carried_in_cents: 0,
  closed_at: null,
  invoiced: false,
  lines: [],
  now: day('2026-01-01'),
  ...overrides,
})

const deliveredLines = (amount: number) => [line(day('2026-01-01'), amount)]

test('computes the delivered, remaining and overage amounts', () => {
  const { delivered_cents, remaining_cents, overage_cents, shortfall_cents } = computeCommitmentTotals(
    rollupInput({ lines: deliveredLines(60_000) }),
  )
  assert.deepEqual([delivered_cents, remaining_cents, overage_cents, shortfall_cents], [60_000, 40_000, 0, 0])
  const beyond = computeCommitmentTotals(
    rollupInput({ lines: [...deliveredLines(60_000), line(day('2026-02-01'), 45_000)] }),
  )
  assert.deepEqual([beyond.delivered_cents, beyond.remaining_cents, beyond.overage_cents], [105_000, 0, 5000])
})

test('the pace is relative to the elapsed share of the period', () => {
  const half = rollupInput({ now: day('2026-02-20') })
  assert.equal(computeCommitmentTotals({ ...half, lines: deliveredLines(50_000) }).pace, 1)
  assert.equal(computeCommitmentTotals({ ...half, lines: deliveredLines(45_000) }).pace, 0.9)
  assert.equal(computeCommitmentTotals({ ...half, lines: deliveredLines(33_333) }).pace, 0.66666)
  assert.equal(computeCommitmentTotals(rollupInput({ lines: deliveredLines(50_000) })).pace, null)
  assert.equal(computeCommitmentTotals(rollupInput({ committed_cents: 0, now: day('2026-02-01') })).pace, null)
  // After the end, exactly the whole period has elapsed.
  assert.equal(
    computeCommitmentTotals(rollupInput({ lines: deliveredLines(50_000), now: day('2027-01-01') })).pace,
    0.5,
  )
})

test('computes every status', () => {
  const half = day('2026-02-20')
  const end = day('2026-04-11')
  const closed = { now: end, closed_at: end }
  const table: readonly (readonly [string, Partial<CommitmentRollupInput>])[] = [
    ['scheduled', { now: day('2025-12-31') }],
    ['active', {}],
    ['active', { now: new Date('2026-01-01T23:59:59.999Z') }],
    ['at_risk', { now: day('2026-01-02') }],
    ['on_track', { now: new Date('2026-01-01T12:00:00Z'), lines: deliveredLines(500) }],
    ['on_track', { now: half, lines: deliveredLines(45_000) }],
    ['at_risk', { now: half, lines: deliveredLines(44_999) }],
    ['at_risk', { now: half, lines: deliveredLines(0) }],
    ['met', { now: half, lines: deliveredLines(100_000) }],
    ['met', { now: half, lines: deliveredLines(70_000), carried_in_cents: 30_000 }],
    ['met', { committed_cents: 0 }],
    ['on_track', { now: day('2026-05-01'), lines: deliveredLines(99_999) }],
    ['closed_met', { ...closed, lines: deliveredLines(100_000) }],
    ['closed_met', { ...closed, lines: deliveredLines(70_000), carried_in_cents: 30_000 }],
    ['closed_shortfall', { ...closed, lines: deliveredLines(99_999) }],
    ['invoiced', { ...closed, lines: deliveredLines(99_999), invoiced: true }],
    ['on_track', { now: half, lines: deliveredLines(45_000), invoiced: true }],
  ]
  for (const [status, overrides] of table)
    assert.equal(computeCommitmentTotals(rollupInput(overrides)).status, status, JSON.stringify(overrides))
})

test('take-or-pay: closing charges the shortfall less the carried-in amount', () => {
  const closed = rollupInput({ closed_at: day('2026-04-12'), now: day('2026-05-01'), lines: deliveredLines(60_000) })
  assert.equal(computeCommitmentTotals(closed).shortfall_cents, 40_000)
  assert.equal(computeCommitmentTotals({ ...closed, carried_in_cents: 15_000 }).shortfall_cents, 25_000)
  assert.equal(computeCommitmentTotals({ ...closed, carried_in_cents: 50_000 }).shortfall_cents, 0)
  assert.equal(computeCommitmentTotals({ ...closed, closed_at: null }).shortfall_cents, 0)
})

test('lines after the period or after its close do not count', () => {
  const late = [...deliveredLines(60_000), line(day('2026-04-11'), 40_000), line(day('2025-12-31'), 40_000)]
  const closed = rollupInput({ closed_at: day('2026-04-11'), now: day('2026-05-01') })
  assert.equal(computeCommitmentTotals({ ...closed, lines: late }).shortfall_cents, 40_000)
  const early = rollupInput({ closed_at: day('2026-03-01'), now: day('2026-05-01') })
  const after = [...deliveredLines(60_000), line(day('2026-03-01'), 40_000)]
  assert.equal(computeCommitmentTotals({ ...early, lines: after }).shortfall_cents, 40_000)
  assert.ok(countsTowardsPeriod(early, day('2026-02-28')) && !countsTowardsPeriod(early, day('2026-03-01')))
})

const instant = fc
  .integer({ min: -20, max: 140 * 24 })
  .map((hours) => new Date(Number(day('2026-01-01')) + hours * 3_600_000))
const cents = fc.integer({ min: 0, max: 1_000_000 })
const arbitraryInput: fc.Arbitrary<CommitmentRollupInput> = fc.record({
  committed_cents: cents,
  period_start: fc.constant(day('2026-01-01')),
  period_end: fc.constant(day('2026-04-11')),
  carried_in_cents: fc.oneof(fc.constant(0), cents),
  closed_at: fc.option(instant),
  invoiced: fc.boolean(),
  lines: fc
    .array(fc.record({ at: instant, amount: fc.integer({ min: -50_000, max: 400_000 }) }))
    .map((generated) => generated.map(({ at, amount }) => line(at, amount))),
  now: instant,
})

test('for any commitment, delivered + remaining - overage = committed, and the shortfall is zero while it is open', () => {
  fc.assert(
    fc.property(arbitraryInput, (input) => {
      const sums = computeCommitmentTotals(input)
      assert.equal(sums.delivered_cents + sums.remaining_cents - sums.overage_cents, input.committed_cents)
      assert.equal(Math.min(sums.remaining_cents, sums.overage_cents), 0)
      assert.ok(sums.shortfall_cents >= 0 && sums.shortfall_cents <= sums.remaining_cents)
      if (input.closed_at === null) assert.equal(sums.shortfall_cents, 0)
      if (sums.status === 'closed_shortfall') assert.ok(sums.shortfall_cents > 0)
      if (sums.status === 'closed_met') assert.equal(sums.shortfall_cents, 0)
      assert.equal(['closed_met', 'closed_shortfall', 'invoiced'].includes(sums.status), input.closed_at !== null)
      if (sums.status === 'on_track') assert.ok(sums.pace !== null && sums.pace >= 0.9)
    }),
  )
})

test('for any commitment, time and further lines change nothing after its close', () => {
  fc.assert(
    fc.property(arbitraryInput, instant, fc.integer({ min: 1, max: 400_000 }), (input, closed_at, amount) => {
      const closed = { ...input, closed_at, now: closed_at }
      const later = new Date(Number(closed_at) + 86_400_000 * 30)
      const after = computeCommitmentTotals({
        ...closed,
        now: later,
        lines: [...input.lines, line(closed_at, amount), line(later, amount)],
      })
      assert.deepEqual(after, computeCommitmentTotals(closed))
    }),
  )
})

test('for any commitment, one that is met while open is met when closed', () => {
  fc.assert(
    fc.property(arbitraryInput, (input) => {
      const open = computeCommitmentTotals({
        ...input,
        closed_at: null,
        lines: input.lines.filter(({ at }) => at < input.now),
      })
      const closed = computeCommitmentTotals({ ...input, closed_at: input.now, invoiced: false })
      if (open.status === 'met') assert.equal(closed.status, 'closed_met')
      if (open.status === 'at_risk') assert.equal(closed.status, 'closed_shortfall')
    }),
  )
})
