import { day_ms } from '@swath/geo/time-units.ts'
/** Days whose spending stands for the days to come. */
export const forecast_basis_days = 30

export interface SpendingSoFar {
  readonly now: Date
  /** The end of the month, which is forecast. */
  readonly ends_at: Date
  /** The creation of the organization; earlier days do not count. */
  readonly began_at: Date
  /** Credits spent since the beginning of the month. */
  readonly spent_credits: number
  /** Credits spent in the last `forecast_basis_days`. */
  readonly recent_credits: number
}

export interface SpendingForecast {
  readonly recent_days: number
  readonly credits_per_day: number
  /** The expected spending at the end of the month. */
  readonly forecast_credits: number
}

/**
 * The spending so far, and for the rest of the month the mean daily spending of the last 30 days, or of the age of a
 * younger organization, at least one day. A share of the month so far would be nothing but chance in its first days.
 */
export function forecastSpending(so_far: SpendingSoFar): SpendingForecast {
  const { now, ends_at, began_at, spent_credits, recent_credits } = so_far
  const age_days = (now.getTime() - began_at.getTime()) / day_ms
  const days = Math.min(forecast_basis_days, Math.max(1, age_days))
  const credits_per_day = recent_credits / days
  const days_left = Math.max(0, ends_at.getTime() - now.getTime()) / day_ms
  return {
    recent_days: days,
    credits_per_day,
    forecast_credits: Math.round(spent_credits + credits_per_day * days_left),
  }
}
