import { day_ms } from '@swath/geo/time-units.ts'
/** Credits that were charged on each day, from the first day to the last. */
export interface DayCharges {
  /** The start of each day in UTC, in milliseconds. */
  readonly x: readonly number[]
  readonly credits: readonly number[]
}

interface Entry {
  readonly created_at: string
  readonly reason: string
  readonly amount_credits: number
}

/** A charge captures held credits: it leaves the available credits as they are, and its sum is that of the charge. */
const chargeReasons: ReadonlySet<string> = new Set(['capture', 'accrue'])
const toDay = (time: string): number => Math.floor(Date.parse(time) / day_ms)

/** Sums the charges among entries by day; days between them without a charge are zero. */
export function chargesByDay(entries: readonly Entry[]): DayCharges {
  const charges = entries.filter(({ reason }) => chargeReasons.has(reason))
  if (charges.length === 0) return { x: [], credits: [] }
  const days = charges.map(({ created_at }) => toDay(created_at))
  const first = Math.min(...days)
  const credits = Array.from({ length: Math.max(...days) - first + 1 }, () => 0)
  for (const [at, { amount_credits }] of charges.entries()) credits[days[at]! - first]! += Math.abs(amount_credits)
  return { x: credits.map((_, at) => (first + at) * day_ms), credits }
}
