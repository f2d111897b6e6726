import { sandboxClockAdvancesKey } from './sandbox-advances.ts'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { day_ms } from '@swath/geo/time-units.ts'
import { limits } from '@swath/contract/limits.ts'
import type { Call } from '../../engine/call.ts'
import { assertInvariant, validationProblem } from '../../engine/problem.ts'
import { monotonic_ms, toProcessClockTime } from '../../platform/clock.ts'
import {
  findSandboxClockAdvance,
  updateSandboxTime,
  type SandboxClockAdvance,
} from '../../platform/sandbox/store.sandboxes.ts'
import { requireSandboxYear } from './sandbox-years.ts'
import { acquireSandboxLease, createSandboxBusyProblem, type HeldSandboxLease } from './sandbox-lease.ts'

/** A call waits so long for the target; the advance goes on, and another call may wait for it. */
const max_wait_ms = 5000
const poll_ms = 100

export interface ClockAdvanceResult {
  readonly now: Date
  readonly target: Date
  readonly reached: boolean
  readonly steps: number
}

/**
 * The target of an advance: exactly one of a duration and a time, not in the past, not too far ahead, and within the years
 * of sandboxes. Throws `validation` for any other.
 */
export function parseClockAdvanceTarget(
  input: { readonly seconds?: number | null; readonly to?: string | null },
  now: Date,
): Date {
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
  requireSandboxYear(target, path)
  return target
}

type AdvanceCall = Pick<
  Call,
  'db' | 'clock' | 'clocks' | 'organization' | 'sandboxRunner' | 'processServices' | 'signal'
>

export interface ClockAdvanceRequest {
  readonly target: Date
  /** Waits for an advance to this very time that is in progress, instead of refusing the call. */
  readonly joins: boolean
}

/**
 * Moves the clock of the caller's sandbox from due time to due time until the target, and runs the work that is due at
 * each of them. It goes on in the background while the call waits, at most five seconds; the steps do not depend on how
 * long calls wait. Throws `invalid-state` while other work holds the sandbox.
 */
export async function advanceSandboxClock(
  call: AdvanceCall,
  { target, joins }: ClockAdvanceRequest,
): Promise<ClockAdvanceResult> {
  const deadline_ms = monotonic_ms() + max_wait_ms
  const lease = await acquireSandboxLease(call, target)
  if (lease) {
    const running = call.processServices
      .get(sandboxClockAdvancesKey)
      .start((signal) => moveClockTo(call, target, { lease, signal }))
    await Promise.race([running, sleep(max_wait_ms, undefined, { signal: call.signal }).catch(() => undefined)])
    return readResult(call, target, 0)
  }
  const before = await readAdvance(call)
  if (!joins || before.target?.getTime() !== target.getTime()) throw createSandboxBusyProblem()
  while (monotonic_ms() < deadline_ms && (await readAdvance(call)).is_running)
    await sleep(poll_ms, undefined, { signal: call.signal })
  return readResult(call, target, before.steps)
}

async function readAdvance({ db, organization, clocks }: AdvanceCall): Promise<SandboxClockAdvance> {
  const advance = await findSandboxClockAdvance(db, organization, toProcessClockTime(clocks.process))
  assertInvariant(advance, 'the id of a sandbox organization names a sandbox')
  return advance
}

async function readResult(call: AdvanceCall, target: Date, steps_before: number): Promise<ClockAdvanceResult> {
  const { now, steps, is_running } = await readAdvance(call)
  call.clocks.setSandboxTime(call.organization, now)
  return { now, target, reached: !is_running && now >= target, steps: Math.max(0, steps - steps_before) }
}

async function moveClockTo(
  { db, clock, clocks, organization, sandboxRunner }: AdvanceCall,
  target: Date,
  { lease, signal }: { readonly lease: HeldSandboxLease; readonly signal: AbortSignal },
): Promise<void> {
  const run = { organization, signal, shouldContinue: () => !signal.aborted, onTask: lease.renew }
  try {
    for (;;) {
      const done = await sandboxRunner.runDue(run)
      const now = clock.now()
      if (!done || now >= target) return
      // Calls of others are answered between two steps.
      await setImmediate()
      await lease.renew()
      const { next_due_at } = done
      const next = next_due_at !== null && next_due_at < target ? next_due_at : target
      if (!(await updateSandboxTime(db, organization, { lease: lease.id, now: next }))) return
      clocks.setSandboxTime(organization, next)
    }
  } finally {
    await lease.release()
  }
}
