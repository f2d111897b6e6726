import { isTimeUnknown } from '../items/stac/stac-feature.ts'
import { day_ms } from '@swath/geo/time-units.ts'
import { toInstant, type TimeParts } from '../../engine/input/instant.ts'
import { parseLooseTime } from '../../engine/input/loose-time.ts'
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

/**
 * Dates in file names: `20240601`, `2024-06-01`, optionally with a time, such as `20240601T101031`, and its fraction; products are
 * renamed to lower case. A number after it is none of its zone.
 */
const fileNamePattern =
  /(?<!\d)(?<year>(?:19|20)\d\d)(?<gap>[-_.]?)(?<month>0[1-9]|1[0-2])\k<gap>(?<day>0[1-9]|[12]\d|3[01])(?:[Tt_ -]?(?<hour>[01]\d|2[0-3])(?<sign>[-:_.]?)(?<minute>[0-5]\d)\k<sign>(?<second>[0-5]\d|60)(?:[.,](?<fraction>\d{1,6}))?)?(?!\d)/

/**
 * The acquisition time of a file: from its metadata, else its name, else its write time. Times without a zone are UTC. Null
 * if unknown, before 1850 or after tomorrow.
 */
export function findAcquisitionTime(
  metadata: Readonly<Record<string, string>>,
  file_name: string,
  now: OrganizationTime,
): Date | null {
  const byName = new Map(Object.entries(metadata).map(([name, value]) => [name.toUpperCase(), value]))
  const readMetadata = (name: string): Date | null => parseLooseTime(byName.get(name) ?? '')
  const times = [...metadataKeys.map(readMetadata), readFileName(file_name), readMetadata(writeTimeKey)]
  const latest = now.getTime() + day_ms
  return times.find((time) => time !== null && time.getUTCFullYear() >= 1850 && time.getTime() <= latest) ?? null
}

function readFileName(name: string): Date | null {
  const groups = fileNamePattern.exec(name)?.groups
  return groups ? toInstant(groups as TimeParts) : null
}

/** What the report of an upload says of an item without a time. */
export const describeUnknownTime = (item: Parameters<typeof isTimeUnknown>[0]): string[] =>
  isTimeUnknown(item)
    ? [
        'The file does not say when it was taken. Set the time of the item; until then no search from a date on finds it.',
      ]
    : []
