const pattern = /^\d{4}-(0[1-9]|1[0-2])$/

/** A span of time from its first instant up to, and without, its last. */
export interface Span {
  readonly start: Date
  readonly end: Date
}

/** The first instants, in UTC, of a month `YYYY-MM` and of the next one. Throws RangeError for other text. */
export function monthSpan(month: string): Span {
  if (!pattern.test(month)) throw new RangeError(`not a month: ${month}`)
  const start = new Date(`${month}-01T00:00:00.000Z`)
  return { start, end: monthsLater(start, 1) }
}

/** The month, `YYYY-MM` in UTC, in which an instant lies. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

/** The month before the one in which an instant lies. */
export const previousMonth = (at: Date): string => monthOf(monthsLater(monthSpan(monthOf(at)).start, -1))

export const isWithin = (span: Span, at: Date): boolean => at >= span.start && at < span.end

/** Only for first days of months, which every month has. */
function monthsLater(first: Date, months: number): Date {
  const moved = new Date(first)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  return moved
}
