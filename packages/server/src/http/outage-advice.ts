import { monotonic_ms } from '../platform/clock.ts'
import { randomBelow } from '../platform/ids.ts'

/** Says to callers that meet an outage when to come again. */
export interface OutageAdvice {
  /** Whole seconds; called once for each refused call. */
  retryAfter_s(): number
}

/** An outage is over when nobody has met it for so long: longer than anybody is sent away for. */
const quiet_ms = 120_000
const shortestRange_s = 2
const longestRange_s = 60

/**
 * A random number of seconds from a range that grows while the outage lasts, to a quarter of how long it has lasted: callers
 * neither come back all at once nor all the time.
 */
export function openOutageAdvice(now_ms: () => number = monotonic_ms, random = randomBelow): OutageAdvice {
  let begun_ms = 0
  let last_ms = Number.NEGATIVE_INFINITY
  return {
    retryAfter_s: () => {
      const now = now_ms()
      if (now - last_ms > quiet_ms) begun_ms = now
      last_ms = now
      const range_s = Math.min(longestRange_s, Math.max(shortestRange_s, (now - begun_ms) / 4000))
      return 1 + Math.floor(random(range_s))
    },
  }
}
