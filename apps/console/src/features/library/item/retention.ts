import { day_ms } from '@swath/geo/time-units.ts'
/** From here on the end is told as a warning, as the platform does. */
const notice_days = 7

export interface Retention {
  /** Full days that are left; negative after the end. */
  readonly days: number
  readonly isSoon: boolean
}

/** How long an item is still kept; null if it is kept for ever. */
export function remainingRetention(expires_at: string | null, now_ms: number): Retention | null {
  if (expires_at === null) return null
  const days = Math.floor((Date.parse(expires_at) - now_ms) / day_ms)
  return { days, isSoon: days <= notice_days }
}
