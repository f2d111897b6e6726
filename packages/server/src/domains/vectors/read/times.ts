import type { Properties } from './fields.ts'

/** Properties with times, in lower case. */
const names: ReadonlySet<string> = new Set([
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
const moment = /^\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/

/** Collects the times of features. */
export interface Times {
  add(properties: Properties): void
  /** The first and last time as RFC 3339, null without any. */
  span(): { readonly start: string | null; readonly end: string | null }
}

export function createTimes(): Times {
  let [first, last] = [Infinity, -Infinity]
  const note = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(note)
    if (typeof value === 'object' && value !== null) return Object.values(value).forEach(note)
    const time = typeof value === 'string' ? timeOf(value) : Number.NaN
    if (Number.isNaN(time)) return
    first = Math.min(first, time)
    last = Math.max(last, time)
  }
  return {
    add(properties) {
      for (const [name, value] of Object.entries(properties)) {
        if (names.has(name.toLowerCase())) note(value)
        // The times of a KML track, per position.
        if (name === 'coordinateProperties') note((value as { times?: unknown } | null)?.times)
      }
    },
    span: () =>
      first > last
        ? { start: null, end: null }
        : { start: new Date(first).toISOString(), end: new Date(last).toISOString() },
  }
}

/** Milliseconds since 1970; NaN for an invalid time, or one outside the range of the database. */
function timeOf(text: string): number {
  const found = moment.exec(text.trim())
  if (!found) return Number.NaN
  const hasZone = found[1] !== undefined || text.trim().length <= 10
  const time = Date.parse(`${text.trim().replace(' ', 'T')}${hasZone ? '' : 'Z'}`)
  return Math.abs(time) < 8e13 ? time : Number.NaN
}
