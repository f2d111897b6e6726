import { toInstant, type TimeParts } from './instant.ts'

/**
 * Times as files have them: `2024-06-01`, `2024:06:01 10:10:31` (TIFF, EXIF), `2024-06-01T10:10:31.024+10:00` and its basic form
 * `20240601T101031Z`, in either case of letters.
 */
const timePattern =
  /^(?<year>\d{4})(?<gap>[-:/.]?)(?<month>\d\d)\k<gap>(?<day>\d\d)(?:[T _-]?(?<hour>\d\d)(?<sign>:?)(?<minute>\d\d)(?:\k<sign>(?<second>\d\d)(?:[.,](?<fraction>\d{1,12}))?)?(?:\s{0,9}(?<zone>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?)?$/i

/** The instant of a text; without a zone it is UTC. Null for text that is no time, or a day or time that does not exist. */
export function parseLooseTime(text: string): Date | null {
  const parts = timePattern.exec(text.trim())?.groups
  return parts ? toInstant(parts as TimeParts) : null
}
