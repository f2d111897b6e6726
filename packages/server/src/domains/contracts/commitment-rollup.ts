import { day_ms } from '@swath/geo/time-units.ts'
import type { Commitment } from '@swath/contract/schemas/commitment.ts'
import { isInDateRange } from './months.ts'
import { roundHalfEven } from '../ledger/rounding.ts'

export type CommitmentStatus = Commitment['status']

/** A charge under a commitment, immutable once written. */
export interface CommitmentChargeLine {
  /** When the line was written. A correction is a line of its own with its own time, and may be negative. */
  readonly at: Date
  readonly product: string
  /**
   * Quantity and rate are decimal text, as a `numeric` column is read (a number is the decimal that it prints as). Rates
   * may have fractions of a cent.
   */
  readonly quantity: string | number
  readonly rate_cents: string | number
  /** The charged amount: `computeLineAmount` of the two, or the amount of a correction. */
  readonly amount_cents: number
}

export interface CommitmentRollupInput {
  readonly committed_cents: number
  /** The start is inclusive, the end exclusive. */
  readonly period_start: Date
  readonly period_end: Date
  /** Overage of an earlier period that is carried over. */
  readonly carried_in_cents: number
  readonly closed_at: Date | null
  readonly invoiced: boolean
  readonly lines: readonly CommitmentChargeLine[]
  readonly now: Date
}

export interface CommitmentRollup {
  readonly delivered_cents: number
  readonly remaining_cents: number
  readonly overage_cents: number
  /** Take-or-pay: 0 until the period is closed. */
  readonly shortfall_cents: number
  /** Delivered divided by the share of the commitment that is due by now, to six decimals; null if nothing is due yet. */
  readonly pace: number | null
  readonly status: CommitmentStatus
}

const min_on_track_pace = 0.9
const pace_precision = 1_000_000

/**
 * Computes the totals of one commitment period. Lines outside the period or after its close do not count, so a late
 * delivery never reduces a charged shortfall. Invariant: delivered + remaining - overage = committed.
 */
export function computeCommitmentTotals(input: CommitmentRollupInput): CommitmentRollup {
  const { committed_cents: committed, closed_at } = input
  const delivered = sumDeliveredCents(input)
  const shortfall = Math.max(0, committed - delivered - input.carried_in_cents)
  const pace = computePace(input, delivered)
  return {
    delivered_cents: delivered,
    remaining_cents: Math.max(0, committed - delivered),
    overage_cents: Math.max(0, delivered - committed),
    shortfall_cents: closed_at ? shortfall : 0,
    pace,
    status: closed_at ? closedStatus(input, shortfall) : openStatus(input, shortfall, pace),
  }
}

/** True for a line that counts towards the period: written within it and before its close. */
export function countsTowardsPeriod(
  input: Pick<CommitmentRollupInput, 'period_start' | 'period_end' | 'closed_at'>,
  at: Date,
): boolean {
  const { period_start: start, period_end: end, closed_at } = input
  return isInDateRange({ start, end: closed_at && closed_at < end ? closed_at : end }, at)
}

const sumDeliveredCents = (input: CommitmentRollupInput): number =>
  input.lines.filter(({ at }) => countsTowardsPeriod(input, at)).reduce((sum, line) => sum + line.amount_cents, 0)

/** The elapsed time of the period, up to its end or close. */
function elapsedMs({ period_start, period_end, closed_at, now }: CommitmentRollupInput): number {
  const until = Math.min(...[closed_at ?? now, now, period_end].map(Number))
  return Math.max(0, until - Number(period_start))
}

/** delivered / (committed × elapsed share of the period), in integers up to the last step. */
function computePace(input: CommitmentRollupInput, delivered: number): number | null {
  const elapsed = elapsedMs(input)
  if (elapsed === 0 || input.committed_cents === 0) return null
  const period = Number(input.period_end) - Number(input.period_start)
  const due = BigInt(input.committed_cents) * BigInt(elapsed)
  return Number(roundHalfEven(BigInt(delivered) * BigInt(period) * BigInt(pace_precision), due)) / pace_precision
}

function closedStatus({ invoiced }: CommitmentRollupInput, shortfall: number): CommitmentStatus {
  if (invoiced) return 'invoiced'
  return shortfall > 0 ? 'closed_shortfall' : 'closed_met'
}

/**
 * `met` as soon as a close would find no shortfall. `active` on the first day of the period, when the pace is not yet
 * meaningful. Between the end of the period and its close, the last pace applies.
 */
function openStatus(input: CommitmentRollupInput, shortfall: number, pace: number | null): CommitmentStatus {
  if (input.now < input.period_start) return 'scheduled'
  if (shortfall === 0) return 'met'
  if (pace !== null && pace >= min_on_track_pace) return 'on_track'
  return elapsedMs(input) < day_ms ? 'active' : 'at_risk'
}
