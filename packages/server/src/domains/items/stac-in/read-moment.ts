import type { Fault } from '../../../engine/problem.ts'
import { readInstant } from '../datetime.ts'
import { isText } from './document.ts'

/** A time of day without a zone, and a day alone, as catalogues write them by mistake: STAC has no time but UTC. */
const zoneless = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d([.,]\d+)?$/
const day = /^\d{4}-\d\d-\d\d$/

/** A moment of a Feature; null where nothing is said. Hours without a zone count as UTC, a day alone as its beginning. */
export function readMoment(value: unknown, path: string, faults: Fault[]): Date | null {
  if (value === null || value === undefined) return null
  const instant = isText(value) ? readInstant(whole(value.trim())) : null
  if (!instant) faults.push({ path, message: 'is no time of RFC 3339 in the years 0001 to 9999' })
  return instant
}

function whole(text: string): string {
  if (day.test(text)) return `${text}T00:00:00Z`
  const time = text.replace(/^(\S{10}) /, '$1T').replace(/([.,]\d{9})\d+/, '$1')
  return zoneless.test(time) ? `${time}Z` : time
}
