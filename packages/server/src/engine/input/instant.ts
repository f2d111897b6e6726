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

/** The first time that a database and RFC 3339 both have. */
export const min_instant_ms = Date.parse('0001-01-01T00:00:00Z')
