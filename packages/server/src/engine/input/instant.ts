/** The parts of a time, as texts of digits; the zone as `Z`, a name of UTC or an offset such as `+10:00`, `+1000` or `+10`. */
export type TimeParts = Readonly<
  Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone', string | undefined>
>

const minutes_per_hour = 60

/**
 * The instant of parts to the millisecond; null for a day, time or offset that does not exist. Parts that are missing are zero, a
 * missing zone is UTC. A leap second counts as the second after it, and 24:00:00 as the next day.
 */
export function toInstant({ year, month, day, zone, fraction, ...time }: TimeParts): Date | null {
  const [hour, minute, second] = [time.hour, time.minute, time.second].map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ]
  const midnight = new Date(0)
  // Not Date.UTC, which maps years 0 to 99 to 1900 to 1999.
  midnight.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  // Rejects dates such as 31 April.
  if (midnight.getUTCMonth() !== Number(month) - 1 || midnight.getUTCDate() !== Number(day)) return null
  const isEndOfDay = hour === 24 && minute === 0 && second === 0
  if ((hour > 23 && !isEndOfDay) || minute > 59 || second > 60) return null
  const offset = parseOffsetMinutes(zone ?? 'Z')
  if (offset === null) return null
  const milliseconds = Math.floor(Number(`0.${fraction ?? '0'}`) * 1000)
  return new Date(
    midnight.getTime() + ((hour * minutes_per_hour + minute - offset) * 60 + second) * 1000 + milliseconds,
  )
}

function parseOffsetMinutes(zone: string): number | null {
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone)
  if (!match) return 0
  const [hours, minutes] = [Number(match[2]), Number(match[3] ?? 0)]
  if (hours > 23 || minutes > 59) return null
  return (hours * minutes_per_hour + minutes) * (match[1] === '-' ? -1 : 1)
}

const timestampPattern =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[Tt](?<hour>[01]\d|2[0-3]):(?<minute>\d\d):(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?(?<zone>[Zz]|[+-]\d\d:\d\d)$/

/**
 * Parses an RFC 3339 timestamp to the millisecond. Null for other text, or if the offset or leap second moves it out of
 * the years 0001 to 9999. A leap second counts as the second after it.
 */
export function parseInstant(text: string): Date | null {
  const parts = timestampPattern.exec(text)?.groups
  const instant = parts ? toInstant(parts as TimeParts) : null
  const year = instant?.getUTCFullYear() ?? 0
  return year >= 1 && year <= 9999 ? instant : null
}

/** The first time that a database and RFC 3339 both have. */
export const min_instant_ms = Date.parse('0001-01-01T00:00:00Z')
