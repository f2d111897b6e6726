import type { Commitment } from '@swath/contract/shapes/commitment.ts'
import { isWithin } from '../months/months.ts'
import { roundHalfEven } from '../rounding.ts'

export type CommitmentStatus = Commitment['status']

/** A charge under a commitment, immutable once written. */
export interface DeliveredLine {
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

export interface CommitmentTerms {
  readonly committed_cents: number
  /** The start is inclusive, the end exclusive. */
  readonly period_start: Date
  readonly period_end: Date
  /** Overage of an earlier period that is carried over. */
  readonly carried_in_cents: number
  readonly closed_at: Date | null
  readonly invoiced: boolean
  readonly lines: readonly DeliveredLine[]
  readonly now: Date
}

export interface Rollup {
  readonly delivered_cents: number
  readonly remaining_cents: number
  readonly overage_cents: number
  /** Take-or-pay: 0 until the period is closed. */
  readonly shortfall_cents: number
  /** Delivered divided by the share of the commitment that is due by now, to six decimals; null if nothing is due yet. */
  readonly pace: number | null
  readonly status: CommitmentStatus
}

const onTrack = 0.9
const day_ms = 86_400_000
const paceParts = 1_000_000

/**
 * Computes the totals of one commitment period. Lines outside the period or after its close do not count, so a late
 * delivery never reduces a charged shortfall. Invariant: delivered + remaining - overage = committed.
 */
export function rollUp(terms: CommitmentTerms): Rollup {
  const { committed_cents: committed, closed_at } = terms
  const delivered = deliveredCents(terms)
  const missing = Math.max(0, committed - delivered - terms.carried_in_cents)
  const pace = paceOf(terms, delivered)
  return {
    delivered_cents: delivered,
    remaining_cents: Math.max(0, committed - delivered),
    overage_cents: Math.max(0, delivered - committed),
    shortfall_cents: closed_at ? missing : 0,
    pace,
    status: closed_at ? closedStatus(terms, missing) : openStatus(terms, missing, pace),
  }
}

/** True for a line that counts towards the period: written within it and before its close. */
export function counts(terms: Pick<CommitmentTerms, 'period_start' | 'period_end' | 'closed_at'>, at: Date): boolean {
  const { period_start: start, period_end: end, closed_at } = terms
  return isWithin({ start, end: closed_at && closed_at < end ? closed_at : end }, at)
}

const deliveredCents = (terms: CommitmentTerms): number =>
  terms.lines.filter(({ at }) => counts(terms, at)).reduce((sum, line) => sum + line.amount_cents, 0)

/** The elapsed time of the period, up to its end or close. */
function elapsedMs({ period_start, period_end, closed_at, now }: CommitmentTerms): number {
  const until = Math.min(...[closed_at ?? now, now, period_end].map(Number))
  return Math.max(0, until - Number(period_start))
}

/** delivered / (committed × elapsed share of the period), in integers up to the last step. */
function paceOf(terms: CommitmentTerms, delivered: number): number | null {
  const elapsed = elapsedMs(terms)
  if (elapsed === 0 || terms.committed_cents === 0) return null
  const period = Number(terms.period_end) - Number(terms.period_start)
  const due = BigInt(terms.committed_cents) * BigInt(elapsed)
  return Number(roundHalfEven(BigInt(delivered) * BigInt(period) * BigInt(paceParts), due)) / paceParts
}

function closedStatus({ invoiced }: CommitmentTerms, missing: number): CommitmentStatus {
  if (invoiced) return 'invoiced'
  return missing > 0 ? 'closed_shortfall' : 'closed_met'
}

/**
 * `met` as soon as a close would find no shortfall. `active` on the first day of the period, when the pace is not yet
 * meaningful. Between the end of the period and its close, the last pace applies.
 */
function openStatus(terms: CommitmentTerms, missing: number, pace: number | null): CommitmentStatus {
  if (terms.now < terms.period_start) return 'scheduled'
  if (missing === 0) return 'met'
  if (pace !== null && pace >= onTrack) return 'on_track'
  return elapsedMs(terms) < day_ms ? 'active' : 'at_risk'
}
