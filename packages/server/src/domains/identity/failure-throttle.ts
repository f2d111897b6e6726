import { Problem } from '../../engine/problem.ts'
import type { RateLimit, RateLimitUnit, RateLimiter } from '../../platform/rate-limits/rate-limit.ts'

interface AttemptGroup {
  count: number
  readonly waiters: (() => void)[]
}

/** Attempts of this process whose outcome is pending, by the key that they are counted for. */
class RunningAttempts {
  private readonly byKey = new Map<string, AttemptGroup>()

  begin(key: string): void {
    const group = this.byKey.get(key) ?? { count: 0, waiters: [] }
    group.count += 1
    this.byKey.set(key, group)
  }

  /** Wakes the waiting attempts, which retry. */
  end(key: string): void {
    const group = this.byKey.get(key)!
    group.count -= 1
    if (group.count === 0) this.byKey.delete(key)
    for (const wake of group.waiters.splice(0)) wake()
  }

  /** Ends a rejected attempt and resolves when another one ends; null if it was the last. */
  waitForOthers(key: string): Promise<void> | null {
    const group = this.byKey.get(key)!
    if (group.count === 1) {
      this.end(key)
      return null
    }
    group.count -= 1
    return new Promise((resolve) => group.waiters.push(resolve))
  }
}

/** The failures allowed within a window; 0 means unlimited. */
export interface AuthenticationFailureLimit {
  readonly failures: number
  readonly window_ms: number
}

/** The bucket that failures are counted in: an account, or an IP address. */
export interface FailureBucket {
  /** The kind of bucket; a kind always has the same window. */
  readonly name: string
  readonly subject: string
  readonly allowance: AuthenticationFailureLimit
  readonly within?: SharedFailureBucket
  /** If this has succeeded, an attempt is made although the bucket is used up: others fill a bucket that many share. */
  readonly unlessSucceeded?: SuccessfulSubject
}

/** Someone whose attempts have succeeded within a window, such as an account from an IP address. */
export interface SuccessfulSubject {
  readonly name: string
  readonly subject: string
  readonly window_ms: number
}

/**
 * A bucket that many subjects share, such as one account that is attacked from many addresses. It rejects nobody by itself:
 * while it is used up, each subject in it is allowed `failures_while_attacked` instead of its own limit.
 */
export interface SharedFailureBucket {
  readonly name: string
  readonly subject: string
  readonly allowance: AuthenticationFailureLimit
  readonly failures_while_attacked: number
}

export interface FailureThrottle {
  /**
   * Runs one attempt, which reports whether it failed. Throws `rate-limited` with `retry_after_s` without running it if any
   * bucket is used up, so that further guesses reveal nothing. A success is recorded for `unlessSucceeded` of the buckets.
   */
  attempt<T>(buckets: readonly FailureBucket[], work: () => Promise<{ failed: boolean; value: T }>): Promise<T>
}

/** A unit that an attempt holds until its outcome is known. */
interface HeldUnit {
  readonly unit: Pick<RateLimitUnit, 'release'>
  readonly key?: string
}

const toRateLimit = (
  { name }: { name: string },
  { failures: max, window_ms }: AuthenticationFailureLimit,
): RateLimit => ({
  name,
  max,
  window_ms,
})

/** The rate limit under which successes are counted; it limits nothing. */
const successLimit = ({ name, window_ms }: SuccessfulSubject): RateLimit => ({ name, max: 1, window_ms })

/**
 * Counts failures across all processes. Running attempts count as failures until they end, so that concurrency gains
 * nothing; an attempt that would exceed the limit because of running attempts of this process waits for them.
 */
export function createFailureThrottle(limiter: RateLimiter): FailureThrottle {
  const running = new RunningAttempts()

  /** Takes a unit for an attempt that has begun; `end` ends it. */
  async function takeUnit(limit: RateLimit, subject: string, key: string): Promise<RateLimitUnit> {
    for (;;) {
      running.begin(key)
      const unit = await Promise.resolve(limiter.take(limit, subject)).catch((error: unknown) => {
        running.end(key)
        throw error
      })
      if (!unit.refused) return unit
      const otherAttempt = running.waitForOthers(key)
      if (!otherAttempt) throw rateLimitedProblem(unit)
      await otherAttempt
    }
  }

  /** True if the bucket is used up by others than the one who attempts. */
  async function isExempt({ unlessSucceeded: record }: FailureBucket, error: unknown): Promise<boolean> {
    const isRefusal = error instanceof Problem && error.problem === 'rate-limited'
    return isRefusal && record !== undefined && limiter.hasCounted(successLimit(record), record.subject)
  }

  async function acquire({ name, subject, allowance, within }: FailureBucket, heldUnits: HeldUnit[]): Promise<void> {
    let failures = allowance.failures
    if (within && within.allowance.failures > 0) {
      const sharedUnit = await limiter.count(toRateLimit(within, within.allowance), within.subject)
      heldUnits.push({ unit: sharedUnit })
      if (sharedUnit.before >= within.allowance.failures) failures = Math.min(failures, within.failures_while_attacked)
    }
    const key = `${name} ${subject}`
    const unit = await takeUnit(toRateLimit({ name }, { ...allowance, failures }), subject, key)
    heldUnits.push({ unit, key })
  }

  async function recordSuccess(buckets: readonly FailureBucket[]): Promise<void> {
    for (const { unlessSucceeded: record } of buckets)
      if (record) await limiter.count(successLimit(record), record.subject)
  }

  return {
    attempt: async (buckets, work) => {
      const heldUnits: HeldUnit[] = []
      let hasFailed = false
      try {
        for (const bucket of buckets) {
          if (bucket.allowance.failures === 0) continue
          await acquire(bucket, heldUnits).catch(async (error: unknown) => {
            if (!(await isExempt(bucket, error))) throw error
          })
        }
        const result = await work()
        hasFailed = result.failed
        if (!hasFailed) await recordSuccess(buckets)
        return result.value
      } finally {
        for (const { unit, key } of heldUnits) {
          if (!hasFailed) unit.release()
          if (key !== undefined) running.end(key)
        }
      }
    },
  }
}

const rateLimitedProblem = ({ reset_s: retry_after_s }: RateLimitUnit): Problem =>
  new Problem('rate-limited', 'Too many failed attempts; try again later.', { retry_after_s })
