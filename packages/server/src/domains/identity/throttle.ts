import { Problem } from '../../engine/problem.ts'
import type { Clock } from '../../platform/clock.ts'
import { secondsLeft, windowsByName, type RateWindow } from '../../platform/rate-windows.ts'

/** Failures of one kind that are let through within a window; 0 is no limit. */
export interface Allowance {
  readonly failures: number
  readonly window_ms: number
}

/** Something that attempts are counted for: an account, or an address that they come from. */
export interface Counted {
  readonly name: string
  readonly allowance: Allowance
  readonly within?: Circle
}

/**
 * What many names share, such as one account that is tried from many addresses. It refuses nobody by itself: while its
 * failures are used up, each name within has `strained_failures` instead of its own allowance.
 */
export interface Circle {
  readonly name: string
  readonly allowance: Allowance
  readonly strained_failures: number
}

/** Counts failures. */
interface Count extends RateWindow {
  pending: number
  waiting: (() => void)[]
}

export interface Throttle {
  /**
   * Runs one attempt, which answers whether it failed. Throws `rate-limited` with `retry_after_s` where the failures of
   * any of the names are used up; then the attempt is not made, so that guessing on tells nothing.
   */
  attempt<T>(counted: readonly Counted[], work: () => Promise<{ failed: boolean; value: T }>): Promise<T>
}

/**
 * Counts failures in memory, per process. Attempts that are still running count as failures until they are known, so
 * that many at once gain nothing; who would exceed the allowance by them waits for them.
 */
export function makeThrottle(clock: Clock): Throttle {
  const begin = (ends_ms: number): Count => ({ count: 0, pending: 0, ends_ms, waiting: [] })
  const windows = windowsByName(clock, begin, (count) => count.pending > 0)
  const countOf = ({ name, allowance }: Pick<Counted, 'name' | 'allowance'>): Count =>
    windows.open(name, allowance.window_ms)
  const allowedTo = ({ allowance, within }: Counted): number => {
    if (!within || within.allowance.failures === 0) return allowance.failures
    const { count, pending } = countOf(within)
    const strained = count + pending >= within.allowance.failures
    return strained ? Math.min(allowance.failures, within.strained_failures) : allowance.failures
  }
  const enter = async (one: Counted): Promise<Count[]> => {
    for (;;) {
      const allowed = allowedTo(one)
      const count = countOf(one)
      if (count.count >= allowed) throw refusal(count, clock)
      if (count.count + count.pending < allowed) {
        const entered = one.within ? [count, countOf(one.within)] : [count]
        for (const each of entered) each.pending += 1
        return entered
      }
      await new Promise<void>((resolve) => count.waiting.push(resolve))
    }
  }
  const leave = (count: Count, failed: boolean): void => {
    count.pending -= 1
    if (failed) count.count += 1
    for (const wake of count.waiting.splice(0)) wake()
  }

  return {
    attempt: async (counted, work) => {
      const entered: Count[] = []
      let failed = false
      try {
        for (const one of counted) {
          if (one.allowance.failures > 0) entered.push(...(await enter(one)))
        }
        const result = await work()
        failed = result.failed
        return result.value
      } finally {
        for (const count of entered) leave(count, failed)
      }
    },
  }
}

const refusal = (count: Count, clock: Clock): Problem =>
  new Problem('rate-limited', 'Too many failed sign-ins; try again later.', {
    retry_after_s: secondsLeft(count, clock),
  })
