import type { Fault } from '../../../engine/problem.ts'
import { spellTime } from '../../../engine/spell-times.ts'
import { readInstant } from '../datetime.ts'
import { isText } from './document.ts'

/**
 * A moment of a Feature; null where nothing is said. Catalogues write hours without a zone, and days alone, by mistake: STAC
 * has no time but UTC, and a day is its beginning or, where it ends a span, its end.
 */
export function readMoment(value: unknown, path: string, faults: Fault[]): Date | null {
  if (value === null || value === undefined) return null
  const edge = path.endsWith('end_datetime') ? 'end' : 'start'
  const instant = isText(value) ? readInstant(spellTime(withoutExcess(value.trim()), edge)) : null
  if (!instant) faults.push({ path, message: 'is no time of RFC 3339 in the years 0001 to 9999' })
  return instant
}

/** A blank for the `T`, and digits of the second beyond the ninth. */
const withoutExcess = (text: string): string => text.replace(/^(\S{10}) /, '$1T').replace(/([.,]\d{9})\d+/, '$1')
