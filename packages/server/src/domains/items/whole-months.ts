/** A half-open range of whole months; null is unbounded. */
export interface MonthSpan {
  readonly from: Date | null
  readonly before: Date | null
}

/** The start of the month of a time, in UTC. */
function monthOf(time: Date): Date {
  const start = new Date(time)
  start.setUTCDate(1)
  start.setUTCHours(0, 0, 0, 0)
  return start
}

/** The first month that starts at or after the time. */
function monthFrom(time: Date): Date {
  const start = monthOf(time)
  if (start < time) start.setUTCMonth(start.getUTCMonth() + 1)
  return start
}

/** The whole months between two times; null if there is none. */
export function wholeMonths(from: Date | null, to: Date | null): MonthSpan | null {
  const span = { from: from && monthFrom(from), before: to && monthOf(to) }
  return span.from && span.before && span.from >= span.before ? null : span
}
