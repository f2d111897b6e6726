/** A maximum number of units within any window of this length. */
export interface RateLimit {
  /** The name that clients read in `RateLimit-Policy`, also part of the bucket name in the database. */
  readonly name: string
  /** 0 means no limit. */
  readonly max: number
  /** Every limit of the same name has the same window. */
  readonly window_ms: number
}

/** The state of a limit after a call was counted or refused. */
export interface RateLimitState {
  readonly limit: RateLimit
  readonly refused: boolean
  /** Units left in the window, as far as this process knows. */
  readonly remaining: number
  /** Seconds until some units leave the window, at least one. */
  readonly reset_s: number
}

/** A counted unit, or the refusal to count one. */
export interface RateLimitUnit extends RateLimitState {
  /** Returns the unit, because the counted action did not happen. No effect for a refusal. */
  release(): void
}

/** Rate limits across all processes together: no window ever allows more units than its maximum. */
export interface RateLimiter {
  /**
   * Counts one unit for a subject (an organization, a key, an IP address) unless the limit is exhausted. Usually
   * synchronous.
   */
  take(limit: RateLimit, subject: string): RateLimitUnit | Promise<RateLimitUnit>
  /** Counts one unit without a limit; returns how many were counted in the window before it. */
  count(limit: RateLimit, subject: string): Promise<{ readonly before: number; release(): void }>
  /** True if something was counted for the subject in the window; counts nothing, and leaves no row for a subject without any. */
  hasCounted(limit: RateLimit, subject: string): Promise<boolean>
  /** Returns unused leased units. Runs automatically every second. */
  flush(): Promise<void>
  /** Deletes counts of expired windows. Runs automatically every minute. */
  sweep(): Promise<void>
  close(): Promise<void>
}
