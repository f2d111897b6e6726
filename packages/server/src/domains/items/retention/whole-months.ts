/** A half-open range of whole months; null is unbounded. */
export interface MonthRange {
  readonly from: Date | null
  readonly before: Date | null
}

/** The start of the month of a time, in UTC. */
function startOfMonth(time: Date): Date {
  const start = new Date(time)
  start.setUTCDate(1)
  start.setUTCHours(0, 0, 0, 0)
  return start
}

/** The first month that starts at or after the time. */
function firstMonthFrom(time: Date): Date {
  const start = startOfMonth(time)
  if (start < time) start.setUTCMonth(start.getUTCMonth() + 1)
  return start
}

/** The last year of a time of an item. */
const max_year = 9999

/** The whole months between two times; null if there is none. */
export function findWholeMonths(from: Date | null, to: Date | null): MonthRange | null {
  const months = { from: from && firstMonthFrom(from), before: to && startOfMonth(to) }
  if (months.from && months.from.getUTCFullYear() > max_year) return null
  return months.from && months.before && months.from >= months.before ? null : months
}
