import type { TSchema } from 'typebox'
import { Format } from 'typebox/format'
import { parseInstant } from './instant.ts'
import {
  compileSchemaTransform,
  hasStringFormat,
  type SchemaTransform,
  type ObjectMembers,
  type JsonObjectTransform,
} from './schema-transform.ts'

/** The end of its day that a date without a time stands for. */
export type DayBoundary = 'start' | 'end'

const datePattern = /^\d{4}-\d\d-\d\d$/
const localDateTimePattern = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:[.,]\d+)?$/

/**
 * Converts a time to RFC 3339: without an offset it is UTC, and a date alone is the first or last millisecond of its day.
 * Any other text is returned unchanged.
 */
export function normalizeTime(text: string, boundary: DayBoundary): string {
  if (datePattern.test(text)) return boundary === 'start' ? `${text}T00:00:00.000Z` : `${text}T23:59:59.999Z`
  return localDateTimePattern.test(text) ? `${text.replace(' ', 'T')}Z` : text
}

/**
 * Says whether a text matches the format `date-time` of a schema: RFC 3339 in the years 0001 to 9999. The library alone
 * accepts the year 0000, offsets that lead out of these years and time zones in brackets, which no clock, computation
 * or database holds.
 */
export const isDateTimeText = (text: string): boolean => Format.IsDateTime(text) && parseInstant(text) !== null

/** A leap second is valid, but `Date` does not parse it: it becomes the second after it. */
function replaceLeapSecond(text: string): string {
  const isLeapSecond = Number.isNaN(Date.parse(text)) && Format.IsDateTime(text)
  return (isLeapSecond ? parseInstant(text)?.toISOString() : undefined) ?? text
}

/** Names of fields that end an interval: `to`, `end_datetime`, `acquisitionEnd`, `expires_at`. */
const intervalEndField = /^(to|expires_at)$|(^|_)end(_|$)|End$/

/** Compiles a transform that normalizes the date-time members of an input, at any depth. */
export const compileNormalizeTimes = (schema: TSchema): SchemaTransform =>
  compileSchemaTransform(schema, compileObjectTransform)

function compileObjectTransform({ properties }: ObjectMembers): JsonObjectTransform {
  const times = Object.keys(properties).filter((name) => hasStringFormat(properties[name]!, 'date-time'))
  if (times.length === 0) return null
  return (members) => {
    for (const name of times) {
      const time = members[name]
      if (typeof time !== 'string') continue
      members[name] = replaceLeapSecond(normalizeTime(time, intervalEndField.test(name) ? 'end' : 'start'))
    }
  }
}
