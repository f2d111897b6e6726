import type { Fault } from '../../../engine/problem.ts'
import { spellTime, type Edge } from '../../../engine/spell-times.ts'
import { readInstant } from '../datetime.ts'
import { isText } from './document.ts'

/** A time as a Feature says it, and as a text in UTC with all digits that it was written with. */
export interface Moment {
  readonly instant: Date
  readonly text: string
}

const utc = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,]\d{3,})(?:[Zz]|[+-]00:00)$/

/**
 * A time of a Feature; null for what is none. Catalogues write hours without a zone, and days alone, by mistake: STAC
 * has no time but UTC, and a day is its beginning or, where it ends a span, its end.
 */
export function momentOf(value: unknown, edge: Edge = 'start'): Moment | null {
  if (!isText(value)) return null
  const spelled = spellTime(withoutExcess(value.trim()), edge)
  const instant = readInstant(spelled)
  const exact = utc.exec(spelled)?.[1]?.replace(',', '.')
  return instant && { instant, text: exact === undefined ? instant.toISOString() : `${exact}Z` }
}

/** The same for a member at a path; null where nothing is said. What is no time is added to the faults. */
export function readMoment(value: unknown, path: string, faults: Fault[]): Moment | null {
  if (value === null || value === undefined) return null
  const moment = momentOf(value, path.endsWith('end_datetime') ? 'end' : 'start')
  if (!moment) faults.push({ path, message: 'is no time of RFC 3339 in the years 0001 to 9999' })
  return moment
}

/** A blank for the `T`, and digits of the second beyond the ninth. */
const withoutExcess = (text: string): string => text.replace(/^(\S{10}) /, '$1T').replace(/([.,]\d{9})\d+/, '$1')
