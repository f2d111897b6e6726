import type { Fault } from '../../../engine/problem.ts'
import { spellTime, type Edge } from '../../../engine/spell-times.ts'
import { readInstant } from '../datetime.ts'
import { isText } from './document.ts'

/** A time of a Feature, with its UTC text in the original precision. */
export interface Moment {
  readonly instant: Date
  readonly text: string
}

const utc = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,]\d{3,})(?:[Zz]|[+-]00:00)$/

/**
 * Parses a time of a Feature; null if invalid. Catalogues incorrectly write times without an offset and dates without a
 * time: the former are UTC, as STAC requires; a date is its start or, at the end of an interval, its end.
 */
export function momentOf(value: unknown, edge: Edge = 'start'): Moment | null {
  if (!isText(value)) return null
  const spelled = spellTime(withoutExcess(value.trim()), edge)
  const instant = readInstant(spelled)
  const exact = utc.exec(spelled)?.[1]?.replace(',', '.')
  return instant && { instant, text: exact === undefined ? instant.toISOString() : `${exact}Z` }
}

/** The same for a member at a path; null if it is absent. Adds an error if it is invalid. */
export function readMoment(value: unknown, path: string, faults: Fault[]): Moment | null {
  if (value === null || value === undefined) return null
  const moment = momentOf(value, path.endsWith('end_datetime') ? 'end' : 'start')
  if (!moment) faults.push({ path, message: 'is not an RFC 3339 time in the years 0001 to 9999' })
  return moment
}

/** Replaces a space before the time by `T`, and truncates fractions to nine digits. */
const withoutExcess = (text: string): string => text.replace(/^(\S{10}) /, '$1T').replace(/([.,]\d{9})\d+/, '$1')
