import { monotonic_ms } from '../platform/clock.ts'
import { randomIntegerBelow } from '../platform/ids.ts'

/** Chooses the Retry-After of responses during an outage. */
export interface OutageRetryAfter {
  /** Integer seconds; called once per rejected call. */
  retryAfter_s(): number
}

/** An outage is over if no call fails for this long, which is longer than any Retry-After. */
const quiet_period_ms = 120_000
const min_range_s = 2
const max_range_s = 60

/**
 * Retry-After is a random number of seconds from a range that grows to a quarter of the outage's duration, so that clients
 * retry neither all at once nor too often.
 */
export function createOutageRetryAfter(
  now_ms: () => number = monotonic_ms,
  random = randomIntegerBelow,
): OutageRetryAfter {
  let started_ms = 0
  let last_failure_ms = Number.NEGATIVE_INFINITY
  return {
    retryAfter_s: () => {
      const now = now_ms()
      if (now - last_failure_ms > quiet_period_ms) started_ms = now
      last_failure_ms = now
      const range_s = Math.min(max_range_s, Math.max(min_range_s, (now - started_ms) / 4000))
      return 1 + Math.floor(random(range_s))
    },
  }
}
