/** So many units within any window of this length. */
export interface RateLimit {
  /** As clients read it in `RateLimit-Policy`, and part of the bucket's name in the database. */
  readonly name: string
  /** 0 is no limit. */
  readonly max: number
  /** A name always goes with the same window. */
  readonly window_ms: number
}

/** How a limit stands after a call was counted against it, or refused. */
export interface RateLimitState {
  readonly limit: RateLimit
  readonly refused: boolean
  /** Units that are left in the window, as far as this process knows. */
  readonly remaining: number
  /** Seconds until some units leave the window, at least one. */
  readonly reset_s: number
}

/** A unit that was counted, or the refusal to count one. */
export interface RateLimitUnit extends RateLimitState {
  /** Takes the unit back: what it was counted for did not happen. Does nothing for a refusal. */
  giveBack(): void
}

/**
 * Counts what happens against limits, for all processes together: in no window does a limit let through more than its
 * maximum, whichever processes are asked.
 */
export interface RateLimiter {
  /** Counts one unit for a subject (an organization, a key, an address), unless the limit is used up. Usually answers at once. */
  take(limit: RateLimit, subject: string): RateLimitUnit | Promise<RateLimitUnit>
  /** Counts one unit that is never refused; answers how many were counted in the window before it. */
  count(limit: RateLimit, subject: string): Promise<{ readonly before: number; giveBack(): void }>
  /** Gives back what was leased and not used. Happens by itself every second. */
  flush(): Promise<void>
  /** Removes counts of windows that are over. Happens by itself every minute. */
  sweep(): Promise<void>
  close(): Promise<void>
}
