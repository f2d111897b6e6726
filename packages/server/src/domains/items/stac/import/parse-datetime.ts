import type { FieldError } from '../../../../engine/problem.ts'
import { normalizeTime, type DayBoundary } from '../../../../engine/input/normalize-times.ts'
import { parseInstant } from '../../../../engine/input/instant.ts'
import { isString } from './document.ts'

/** A time of a Feature, with its UTC text in the original precision. */
export interface FeatureTimestamp {
  readonly instant: Date
  readonly text: string
}

const utcPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,]\d{3,})(?:[Zz]|[+-]00:00)$/

/**
 * Parses a time of a Feature; null if invalid. Catalogues incorrectly write times without an offset and dates without a
 * time: the former are UTC, as STAC requires; a date is its start or, at the end of an interval, its end.
 */
export function parseFeatureTimestamp(value: unknown, edge: DayBoundary = 'start'): FeatureTimestamp | null {
  if (!isString(value)) return null
  const normalized = normalizeTime(trimTimestamp(value.trim()), edge)
  const instant = parseInstant(normalized)
  const utc_text = utcPattern.exec(normalized)?.[1]?.replace(',', '.')
  return instant && { instant, text: utc_text === undefined ? instant.toISOString() : `${utc_text}Z` }
}

/** The same for a member at a path; null if it is absent. Adds an error if it is invalid. */
export function parseFeatureTimestampAt(value: unknown, path: string, errors: FieldError[]): FeatureTimestamp | null {
  if (value === null || value === undefined) return null
  const timestamp = parseFeatureTimestamp(value, path.endsWith('end_datetime') ? 'end' : 'start')
  if (!timestamp) errors.push({ path, message: 'is not an RFC 3339 time in the years 0001 to 9999' })
  return timestamp
}

/** Replaces a space before the time by `T`, and truncates fractions to nine digits. */
const trimTimestamp = (text: string): string => text.replace(/^(\S{10}) /, '$1T').replace(/([.,]\d{9})\d+/, '$1')
