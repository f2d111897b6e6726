import { Problem } from '../../engine/problem.ts'
import type { RateLimit, RateLimiter, RateLimitUnit } from '../../platform/rate-limits/rate-limit.ts'
import { RunningAttempts } from './running-attempts.ts'

/** Failures of one kind that are let through within a window; 0 is no limit. */
export interface Allowance {
  readonly failures: number
  readonly window_ms: number
}

/** Something that attempts are counted for: an account, or an address that they come from. */
export interface Counted {
  /** What kind of thing it is; always with the same window. */
  readonly name: string
  readonly subject: string
  readonly allowance: Allowance
  readonly within?: Circle
}

/**
 * What many subjects share, such as one account that is tried from many addresses. It refuses nobody by itself: while its
 * failures are used up, each subject within has `strained_failures` instead of its own allowance.
 */
export interface Circle {
  readonly name: string
  readonly subject: string
  readonly allowance: Allowance
  readonly strained_failures: number
}

export interface Throttle {
  /**
   * Runs one attempt, which answers whether it failed. Throws `rate-limited` with `retry_after_s` where the failures of
   * any of the subjects are used up; then the attempt is not made, so that guessing on tells nothing.
   */
  attempt<T>(counted: readonly Counted[], work: () => Promise<{ failed: boolean; value: T }>): Promise<T>
}

/** What an attempt holds until it is known whether it failed. */
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
 * Counts failures for all processes together. Attempts that are still running count as failures until they are known, so
 * that many at once gain nothing; who would exceed the allowance by those of this process waits for them.
 */
export function makeThrottle(limiter: RateLimiter): Throttle {
  const running = new RunningAttempts()

  /** A unit for an attempt that has begun; `end` ends it. */
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
