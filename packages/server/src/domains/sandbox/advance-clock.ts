import { limits } from '@swath/contract/limits.ts'
import type { Call } from '../../engine/call.ts'
import { validationProblem } from '../../engine/problem.ts'
import { monotonic_ms } from '../../platform/clock.ts'
import { updateSandboxTime } from '../../platform/sandbox/store.sandboxes.ts'
import { withSandboxLease } from './sandbox-lease.ts'

/** A call starts no further step after this; the caller continues with another one. */
const max_call_ms = 20_000
const day_ms = 86_400_000

export interface AdvanceResult {
  readonly now: Date
  readonly target: Date
  readonly reached: boolean
  readonly steps: number
}

/** The target of an advance: exactly one of a duration and a time, not in the past, and not too far ahead. */
export function parseTarget(input: { readonly seconds?: number | null; readonly to?: string | null }, now: Date): Date {
  const { seconds, to } = input
  if ((seconds ?? null) === null && (to ?? null) === null)
    throw validationProblem([{ path: 'seconds', message: 'is required without `to`' }])
  if (typeof seconds === 'number' && typeof to === 'string')
    throw validationProblem([{ path: 'to', message: 'is not possible with `seconds`' }])
  const target = typeof seconds === 'number' ? new Date(now.getTime() + seconds * 1000) : new Date(to!)
  const path = typeof seconds === 'number' ? 'seconds' : 'to'
  if (target < now) throw validationProblem([{ path, message: 'moves the clock back, which is not possible' }])
  if (target.getTime() - now.getTime() > limits.max_advance_days * day_ms)
    throw validationProblem([{ path, message: `moves the clock by more than ${limits.max_advance_days} days` }])
  return target
}

/**
 * Moves the clock of the caller's sandbox from due time to due time until the target, and runs at each of them what is due
 * then. The steps do not depend on where a call ends and the next one continues.
 */
export function advanceClock(
  call: Pick<Call, 'db' | 'clock' | 'clocks' | 'organization' | 'sandboxRunner' | 'signal'>,
  target: Date,
): Promise<AdvanceResult> {
  const { db, clock, organization, sandboxRunner, signal } = call
  const deadline_ms = monotonic_ms() + max_call_ms
  const shouldContinue = (): boolean => monotonic_ms() < deadline_ms
  return withSandboxLease(call, async (renew) => {
    for (let steps = 1; ; steps++) {
      const done = await sandboxRunner.runDue({ organization, signal, shouldContinue, onTask: renew })
      const now = clock.now()
      if (done && now >= target) return { now, target, reached: true, steps }
      if (!done || !shouldContinue()) return { now, target, reached: false, steps }
      const { next_due_at } = done
      await moveClock(db, call, next_due_at !== null && next_due_at < target ? next_due_at : target)
    }
  })
}

async function moveClock(
  db: Call['db'],
  { clocks, organization }: Pick<Call, 'clocks' | 'organization'>,
  to: Date,
): Promise<void> {
  await updateSandboxTime(db, organization, to)
  clocks.setSandboxTime(organization, to)
}
