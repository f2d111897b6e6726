import { Problem } from '../../engine/problem.ts'
import type { RateLimit, RateLimiter, RateLimitUnit } from '../../platform/rate-limits/rate-limit.ts'
import { RunningAttempts } from './running-attempts.ts'

/** The failures allowed within a window; 0 means unlimited. */
export interface Allowance {
  readonly failures: number
  readonly window_ms: number
}

/** The bucket that failures are counted in: an account, or an IP address. */
export interface Counted {
  /** The kind of bucket; a kind always has the same window. */
  readonly name: string
  readonly subject: string
  readonly allowance: Allowance
  readonly within?: Circle
}

/**
 * A bucket that many subjects share, such as one account that is attacked from many addresses. It rejects nobody by itself:
 * while it is used up, each subject in it is allowed `failures_while_attacked` instead of its own limit.
 */
export interface Circle {
  readonly name: string
  readonly subject: string
  readonly allowance: Allowance
  readonly strained_failures: number
}

export interface Throttle {
  /**
   * Runs one attempt, which reports whether it failed. Throws `rate-limited` with `retry_after_s` without running it if any
   * bucket is used up, so that further guesses reveal nothing.
   */
  attempt<T>(counted: readonly Counted[], work: () => Promise<{ failed: boolean; value: T }>): Promise<T>
}

/** A unit that an attempt holds until its outcome is known. */
interface Held {
  readonly unit: Pick<RateLimitUnit, 'giveBack'>
  readonly key?: string
}

const limitOf = ({ name }: { name: string }, { failures: max, window_ms }: Allowance): RateLimit => ({
  name,
  max,
  window_ms,
})

/**
 * Counts failures across all processes. Running attempts count as failures until they end, so that concurrency gains
 * nothing; an attempt that would exceed the limit because of running attempts of this process waits for them.
 */
export function makeThrottle(limiter: RateLimiter): Throttle {
  const running = new RunningAttempts()

  /** Takes a unit for an attempt that has begun; `end` ends it. */
  async function take(limit: RateLimit, subject: string, key: string): Promise<RateLimitUnit> {
    for (;;) {
      running.begin(key)
      const unit = await Promise.resolve(limiter.take(limit, subject)).catch((error: unknown) => {
        running.end(key)
        throw error
      })
      if (!unit.refused) return unit
      const other = running.waitForOthers(key)
      if (!other) throw refusal(unit)
      await other
    }
  }

  async function enter({ name, subject, allowance, within }: Counted, held: Held[]): Promise<void> {
    let failures = allowance.failures
    if (within && within.allowance.failures > 0) {
      const circle = await limiter.count(limitOf(within, within.allowance), within.subject)
      held.push({ unit: circle })
      if (circle.before >= within.allowance.failures) failures = Math.min(failures, within.strained_failures)
    }
    const key = `${name} ${subject}`
    const unit = await take(limitOf({ name }, { ...allowance, failures }), subject, key)
    held.push({ unit, key })
  }

  return {
    attempt: async (counted, work) => {
      const held: Held[] = []
      let failed = false
      try {
        for (const one of counted) {
          if (one.allowance.failures > 0) await enter(one, held)
        }
        const result = await work()
        failed = result.failed
        return result.value
      } finally {
        for (const { unit, key } of held) {
          if (!failed) unit.giveBack()
          if (key !== undefined) running.end(key)
        }
      }
    },
  }
}

const refusal = ({ reset_s: retry_after_s }: RateLimitUnit): Problem =>
  new Problem('rate-limited', 'Too many failed attempts; try again later.', { retry_after_s })
