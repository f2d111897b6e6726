/**
 * Times as files have them: `2024-06-01`, `2024:06:01 10:10:31` (TIFF, EXIF), `2024-06-01T10:10:31.024+10:00` and its basic form
 * `20240601T101031Z`, in either case of letters.
 */
const timePattern =
  /^\s*(\d{4})([-:/.]?)(\d\d)\2(\d\d)(?:[T _-]?(\d\d)(:?)(\d\d)(?:\6(\d\d)(?:[.,](\d{1,12}))?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?\s*$/i

/**
 * The instant of a text; without a zone it is UTC. Null for text that is no time, or a day or time that does not exist. A leap second is
 * the second after it, and 24:00:00 the next day.
 */
export function parseLooseTime(text: string): Date | null {
  const match = timePattern.exec(text)
  if (!match) return null
  const [, year, , month, day, hour = '0', , minute = '0', second = '0', fraction = '0', zone = 'Z'] = match
  return toInstant({ year, month, day, hour, minute, second, fraction, zone })
}

/** The parts of a time, as texts of digits. */
export type TimeParts = Readonly<
  Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone', string | undefined>
>

/** The instant of parts; null for a day or time that does not exist. */
export function toInstant({ year, month, day, zone, fraction, ...time }: TimeParts): Date | null {
  const [hour, minute, second] = [time.hour, time.minute, time.second].map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ]
  const midnight = new Date(0)
  // Not Date.UTC, which maps years 0 to 99 to 1900 to 1999.
  midnight.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (midnight.getUTCMonth() !== Number(month) - 1 || midnight.getUTCDate() !== Number(day)) return null
  const isEndOfDay = hour === 24 && minute === 0 && second === 0
  if ((hour > 23 && !isEndOfDay) || minute > 59 || second > 60) return null
  const offset = readOffset_minutes(zone ?? 'Z')
  if (offset === null) return null
  const milliseconds = Math.floor(Number(`0.${fraction ?? '0'}`) * 1000)
  return new Date(midnight.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds)
}

function readOffset_minutes(zone: string): number | null {
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone)
  if (!match) return 0
  const [hours, minutes] = [Number(match[2]), Number(match[3] ?? 0)]
  if (hours > 23 || minutes > 59) return null
  return (hours * 60 + minutes) * (match[1] === '-' ? -1 : 1)
}
