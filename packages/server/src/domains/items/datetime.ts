import { normalizeTime } from '../../engine/input/normalize-times.ts'

/** A closed time interval; null is an open end. */
export interface TimeInterval {
  readonly from: Date | null
  readonly to: Date | null
}

const timestampPattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * Parses an RFC 3339 timestamp to the millisecond. Null for other text, or if the offset or leap second moves it out of
 * the years 0001 to 9999. A leap second counts as the second after it.
 */
export function parseInstant(text: string): Date | null {
  const match = timestampPattern.exec(text)
  if (!match) return null
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const milliseconds = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000)
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return null
  const parsed = new Date(0)
  // Not Date.UTC, which maps years 0 to 99 to 1900 to 1999.
  const date = parsed.setUTCFullYear(year, month - 1, day)
  // Rejects dates such as 31 April.
  if (parsed.getUTCMonth() !== month - 1 || parsed.getUTCDate() !== day) return null
  const offset = (offsetHours * 60 + offsetMinutes) * (match[8] === '-' ? -1 : 1)
  const instant = new Date(date + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds)
  const instantYear = instant.getUTCFullYear()
  return instantYear >= 1 && instantYear <= 9999 ? instant : null
}

/** Strict RFC 3339: a point before the fraction, and a required offset. */
const strictTimestampPattern = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

/** The datetime parameter of the STAC API: strict RFC 3339. */
export const parseStrictInterval = (text: string): TimeInterval | string =>
  text.split('/').every((end) => isOpenEnd(end) || strictTimestampPattern.test(end))
    ? parseInterval(text)
    : 'is not an RFC 3339 time such as 2024-05-01T00:00:00Z'

const isOpenEnd = (text: string): boolean => text === '' || text === '..'

/**
 * Parses an instant, or `start/end` where `..` or an empty end is open. A time without an offset is UTC, a date its whole
 * day. Returns an error message for invalid text.
 */
export function parseInterval(text: string): TimeInterval | string {
  const ends = text.split('/')
  if (ends.length > 2) return 'is neither an instant nor an interval of two ends'
  const [start, end] = [ends[0] ?? '', ends[1] ?? ends[0] ?? '']
  if (isOpenEnd(start) && isOpenEnd(end)) return 'leaves both ends open'
  const from = isOpenEnd(start) ? null : parseInstant(normalizeTime(start, 'start'))
  const to = isOpenEnd(end) ? null : parseInstant(normalizeTime(end, 'end'))
  if ((!isOpenEnd(start) && !from) || (!isOpenEnd(end) && !to))
    return 'is not an RFC 3339 time such as 2024-05-01T00:00:00Z'
  if (from && to && from > to) return 'ends before it starts'
  return { from, to }
}
