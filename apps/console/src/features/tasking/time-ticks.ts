import { day_ms } from '@swath/geo/time-units.ts'
const max_ticks = 6

export interface TimeTick {
  readonly at_ms: number
  readonly label: string
}

/** The days in UTC to mark between two times: at most six, at even distances. */
export function timeTicks(from_ms: number, to_ms: number): readonly TimeTick[] {
  const first = Math.ceil(from_ms / day_ms)
  const last = Math.floor(to_ms / day_ms)
  const step = Math.max(1, Math.ceil((last - first + 1) / max_ticks))
  return Array.from({ length: Math.max(0, Math.floor((last - first) / step) + 1) }, (_, at) => {
    const at_ms = (first + at * step) * day_ms
    const label = new Date(at_ms).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
    return { at_ms, label }
  })
}
