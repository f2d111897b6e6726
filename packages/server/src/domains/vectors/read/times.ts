import { parseLooseTime } from '../../../engine/input/loose-time.ts'
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

/** A year or a month, as KML has them. */
const monthPattern = /^\d{4}(?:-\d\d)?$/

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
  const trimmed = text.trim()
  const time = (monthPattern.test(trimmed) ? parseLooseTime(startOfMonth(trimmed)) : parseLooseTime(trimmed))?.getTime()
  return time !== undefined && Math.abs(time) < 8e13 ? time : Number.NaN
}

const startOfMonth = (text: string): string => `${text.length === 4 ? `${text}-01` : text}-01`
