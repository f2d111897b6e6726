import { day_ms } from '@swath/geo/time-units.ts'
/** Days before the deletion from which it is shown as a warning, as in the platform's notifications. */
const notice_days = 7

export interface Retention {
  /** Full days that are left; negative after the end. */
  readonly days: number
  readonly isSoon: boolean
}

/** The time until an item is deleted; null if it has no expiry. */
export function remainingRetention(expires_at: string | null, now_ms: number): Retention | null {
  if (expires_at === null) return null
  const days = Math.floor((Date.parse(expires_at) - now_ms) / day_ms)
  return { days, isSoon: days <= notice_days }
}
