import type { FeatureProperties } from './fields.ts'

/** Properties with times, in lower case. */
const timeProperties: ReadonlySet<string> = new Set([
  'acquired',
  'acquisition_date',
  'begin',
  'date',
  'datetime',
  'end',
  'end_datetime',
  'start_datetime',
  'time',
  'timespan',
  'timestamp',
])

/** A year, a month, a day, or a time; without a zone it is UTC. */
const timePattern = /^\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/

/** Collects the times of features. */
export interface FeatureTimeRangeBuilder {
  add(properties: FeatureProperties): void
  /** The first and last time as RFC 3339, null without any. */
  span(): { readonly start: string | null; readonly end: string | null }
}

export function createFeatureTimeRangeBuilder(): FeatureTimeRangeBuilder {
  let [first, last] = [Infinity, -Infinity]
  const addValue = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(addValue)
    if (typeof value === 'object' && value !== null) return Object.values(value).forEach(addValue)
    const time = typeof value === 'string' ? parseTime(value) : Number.NaN
    if (Number.isNaN(time)) return
    first = Math.min(first, time)
    last = Math.max(last, time)
  }
  return {
    add(properties) {
      for (const [name, value] of Object.entries(properties)) {
        if (timeProperties.has(name.toLowerCase())) addValue(value)
        // The times of a KML track, per position.
        if (name === 'coordinateProperties') addValue((value as { times?: unknown } | null)?.times)
      }
    },
    span: () =>
      first > last
        ? { start: null, end: null }
        : { start: new Date(first).toISOString(), end: new Date(last).toISOString() },
  }
}

/** Milliseconds since 1970; NaN for an invalid time, or one outside the range of the database. */
function parseTime(text: string): number {
  const match = timePattern.exec(text.trim())
  if (!match) return Number.NaN
  const hasZone = match[1] !== undefined || text.trim().length <= 10
  const time = Date.parse(`${text.trim().replace(' ', 'T')}${hasZone ? '' : 'Z'}`)
  return Math.abs(time) < 8e13 ? time : Number.NaN
}
