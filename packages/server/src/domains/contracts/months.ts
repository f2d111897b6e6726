const monthPattern = /^\d{4}-(0[1-9]|1[0-2])$/

/** A date range: the start is inclusive, the end exclusive. */
export interface DateRange {
  readonly start: Date
  readonly end: Date
}

/** The range of a month `YYYY-MM` in UTC. Throws RangeError for other text. */
export function toMonthRange(month: string): DateRange {
  if (!monthPattern.test(month)) throw new RangeError(`not a month: ${month}`)
  const start = new Date(`${month}-01T00:00:00.000Z`)
  return { start, end: addMonths(start, 1) }
}

/** The UTC month of a time, `YYYY-MM`. */
export const toUtcMonth = (at: Date): string => at.toISOString().slice(0, 7)

/** The UTC month before that of a time. */
export const findPreviousMonth = (at: Date): string => toUtcMonth(addMonths(toMonthRange(toUtcMonth(at)).start, -1))

export const isInDateRange = (range: DateRange, at: Date): boolean => at >= range.start && at < range.end

/** Valid only for the first day of a month, because other days do not exist in every month. */
function addMonths(first: Date, months: number): Date {
  const shifted = new Date(first)
  shifted.setUTCMonth(shifted.getUTCMonth() + months)
  return shifted
}
