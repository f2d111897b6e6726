import { parseInstant } from '../../engine/input/instant.ts'
import { normalizeTime } from '../../engine/input/normalize-times.ts'

/** A closed time interval; null is an open end. */
export interface TimeInterval {
  readonly from: Date | null
  readonly to: Date | null
}

/** Strict RFC 3339: a point before the fraction, and a required offset. */
const strictTimestampPattern = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

/** The datetime parameter of the STAC API: strict RFC 3339. */
export const parseStrictTimeInterval = (text: string): TimeInterval | string =>
  text.split('/').every((end) => isOpenEnd(end) || strictTimestampPattern.test(end))
    ? parseTimeInterval(text)
    : 'is not an RFC 3339 time such as 2024-05-01T00:00:00Z'

const isOpenEnd = (text: string): boolean => text === '' || text === '..'

/**
 * Parses an instant, or `start/end` where `..` or an empty end is open. A time without an offset is UTC, a date its whole
 * day. Returns an error message for invalid text.
 */
export function parseTimeInterval(text: string): TimeInterval | string {
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
