/** Which moment of a day a date stands for. */
export type Edge = 'start' | 'end'

const day = /^\d{4}-\d\d-\d\d$/
const zoneless = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:[.,]\d+)?$/

/**
 * A time as RFC 3339 has it: one without an offset is UTC, and a date alone is the first or the last millisecond of its day.
 * What is neither stays as it is.
 */
export function spellTime(text: string, edge: Edge): string {
  if (day.test(text)) return edge === 'start' ? `${text}T00:00:00.000Z` : `${text}T23:59:59.999Z`
  return zoneless.test(text) ? `${text.replace(' ', 'T')}Z` : text
}

/** Fields that end an interval, by their names: `to`, `end_datetime`, `acquisitionEnd`. */
const ends = /^to$|(^|_)end(_|$)|End$/

/** The same for the fields of an input that are one time each. */
export function spellTimes(input: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const time = input[name]
    if (typeof time === 'string') input[name] = spellTime(time, ends.test(name) ? 'end' : 'start')
  }
}
