/** The moments between which months lie whole, the second one excluded; null is without an end. */
export interface MonthSpan {
  readonly from: Date | null
  readonly before: Date | null
}

/** The first moment, in UTC, of the month that a time lies in. */
function monthOf(time: Date): Date {
  const start = new Date(time)
  start.setUTCDate(1)
  start.setUTCHours(0, 0, 0, 0)
  return start
}

/** The first month that begins at the time or after it. */
function monthFrom(time: Date): Date {
  const start = monthOf(time)
  if (start < time) start.setUTCMonth(start.getUTCMonth() + 1)
  return start
}

/** The months that lie whole between two times; null where there is none. */
export function wholeMonths(from: Date | null, to: Date | null): MonthSpan | null {
  const span = { from: from && monthFrom(from), before: to && monthOf(to) }
  return span.from && span.before && span.from >= span.before ? null : span
}
