const pattern = /^\d{4}-(0[1-9]|1[0-2])$/

/** A date range: the start is inclusive, the end exclusive. */
export interface Span {
  readonly start: Date
  readonly end: Date
}

/** The range of a month `YYYY-MM` in UTC. Throws RangeError for other text. */
export function monthSpan(month: string): Span {
  if (!pattern.test(month)) throw new RangeError(`not a month: ${month}`)
  const start = new Date(`${month}-01T00:00:00.000Z`)
  return { start, end: monthsLater(start, 1) }
}

/** The UTC month of a time, `YYYY-MM`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

/** The UTC month before that of a time. */
export const previousMonth = (at: Date): string => monthOf(monthsLater(monthSpan(monthOf(at)).start, -1))

export const isWithin = (span: Span, at: Date): boolean => at >= span.start && at < span.end

/** Valid only for the first day of a month, because other days do not exist in every month. */
function monthsLater(first: Date, months: number): Date {
  const moved = new Date(first)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  return moved
}
