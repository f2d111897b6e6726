import type { OrganizationTime } from '../../platform/clock.ts'

/** Metadata keys of the acquisition time, in order of preference. */
const metadataKeys = [
  'ACQUISITIONDATETIME',
  'ACQUISITION_DATETIME',
  'ACQUISITION_TIME',
  'SENSING_TIME',
  'DATETIME',
  'TIME',
  'ACQUISITION_DATE',
  'DATE',
]

const writeTimeKey = 'TIFFTAG_DATETIME'

/** Dates in file names: `20240601`, `2024-06-01`, optionally with a time, such as `20240601T101031`. */
const fileNamePattern =
  /(?<!\d)(?<year>(?:19|20)\d\d)(?<gap>[-_.]?)(?<month>0[1-9]|1[0-2])\k<gap>(?<day>0[1-9]|[12]\d|3[01])(?:[T_ -]?(?<hour>[01]\d|2[0-3])(?<sign>[-:_.]?)(?<minute>[0-5]\d)\k<sign>(?<second>[0-5]\d))?(?!\d)/

/** The formats of TIFF (`2024:06:01 10:10:31`) and ISO 8601. */
const metadataPattern =
  /^\s*(?<year>\d{4})[-:/](?<month>\d\d)[-:/](?<day>\d\d)(?:[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d+)?)?\s*(?:Z|UTC|\+00:00)?)?\s*$/

/**
 * The acquisition time of a file: from its metadata, else its name, else its write time. Times without a zone are UTC. Null
 * if unknown, before 1850 or after tomorrow.
 */
export function findAcquisitionTime(
  metadata: Readonly<Record<string, string>>,
  file_name: string,
  now: OrganizationTime,
): Date | null {
  const upperCaseMetadata = new Map(Object.entries(metadata).map(([name, value]) => [name.toUpperCase(), value]))
  const metadataMatches = metadataKeys.map((name) => metadataPattern.exec(upperCaseMetadata.get(name) ?? ''))
  const matches = [
    ...metadataMatches,
    fileNamePattern.exec(file_name),
    metadataPattern.exec(upperCaseMetadata.get(writeTimeKey) ?? ''),
  ]
  for (const match of matches) {
    const time = match?.groups ? toValidDate(match.groups) : null
    if (time && time.getUTCFullYear() >= 1850 && time.getTime() <= now.getTime() + 86_400_000) return time
  }
  return null
}

/** Null for a date that does not exist. */
function toValidDate(groups: Readonly<Record<string, string | undefined>>): Date | null {
  const [year, month, day] = [groups['year'], groups['month'], groups['day']].map(Number) as [number, number, number]
  const [hour, minute, second] = [groups['hour'], groups['minute'], groups['second']].map((part) => Number(part ?? 0))
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  return time.getUTCMonth() === month - 1 && time.getUTCDate() === day ? time : null
}
