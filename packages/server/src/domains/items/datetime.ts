import { spellTime } from '../../engine/spell-times.ts'

/** What a search by time covers; both ends belong to it, null is open. */
export interface Span {
  readonly from: Date | null
  readonly to: Date | null
}

const shape = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * An instant of RFC 3339, to the millisecond; null when the text is none, or when its offset or leap second carries it
 * out of the years 0001 to 9999, which four digits cannot write. A leap second counts as the one after it.
 */
export function readInstant(text: string): Date | null {
  const found = shape.exec(text)
  if (!found) return null
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const milliseconds = Math.floor(Number(`0.${found[7] ?? '0'}`) * 1000)
  const [offsetHours, offsetMinutes] = [Number(found[9] ?? 0), Number(found[10] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return null
  const parsed = new Date(0)
  // Not by Date.UTC, which takes the first century for the twentieth.
  const date = parsed.setUTCFullYear(year, month - 1, day)
  // Catches 31 April.
  if (parsed.getUTCMonth() !== month - 1 || parsed.getUTCDate() !== day) return null
  const offset = (offsetHours * 60 + offsetMinutes) * (found[8] === '-' ? -1 : 1)
  const instant = new Date(date + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds)
  const instantYear = instant.getUTCFullYear()
  return instantYear >= 1 && instantYear <= 9999 ? instant : null
}

/** As RFC 3339 has it: a point before the fraction, and an offset. */
const strictly = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

/** What a search of the STAC API says: instants of RFC 3339 to the letter. */
export const readStrictSpan = (text: string): Span | string =>
  text.split('/').every((end) => isOpen(end) || strictly.test(end))
    ? readSpan(text)
    : 'is not a time of RFC 3339 such as 2024-05-01T00:00:00Z'

const isOpen = (text: string): boolean => text === '' || text === '..'

/**
 * An instant, or `start/end` in which `..` or nothing leaves one end open. A time without an offset is UTC, a date its whole
 * day. A sentence where the text is neither.
 */
export function readSpan(text: string): Span | string {
  const ends = text.split('/')
  if (ends.length > 2) return 'is neither an instant nor an interval of two ends'
  const [start, end] = [ends[0] ?? '', ends[1] ?? ends[0] ?? '']
  if (isOpen(start) && isOpen(end)) return 'leaves both ends open'
  const from = isOpen(start) ? null : readInstant(spellTime(start, 'start'))
  const to = isOpen(end) ? null : readInstant(spellTime(end, 'end'))
  if ((!isOpen(start) && !from) || (!isOpen(end) && !to))
    return 'is not a time of RFC 3339 such as 2024-05-01T00:00:00Z'
  if (from && to && from > to) return 'ends before it starts'
  return { from, to }
}
