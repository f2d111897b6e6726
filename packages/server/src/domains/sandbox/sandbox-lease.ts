import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { monotonic_ms, toProcessClockTime } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { releaseSandboxLease, claimSandboxLease } from '../../platform/sandbox/store.sandboxes.ts'

/** Work whose process was killed gives way after this time. */
const lease_ms = 60_000

export interface HeldSandboxLease {
  readonly id: string
  /** Called between the steps of the work. Throws `invalid-state` if other work has taken the lease over. */
  renew(): Promise<void>
  release(): Promise<void>
}

/**
 * Takes the lease of a sandbox, in which one call at a time may advance the clock (to `target`) or reset it. Null while other work
 * holds it.
 */
export async function acquireSandboxLease(
  { db, clocks, organization }: Pick<Call, 'db' | 'clocks' | 'organization'>,
  target: Date | null,
): Promise<HeldSandboxLease | null> {
  const id = newId()
  const take = (): Promise<boolean> =>
    claimSandboxLease(
      db,
      organization,
      { id, processTime: toProcessClockTime(clocks.process), until: toProcessClockTime(clocks.process, lease_ms) },
      target,
    )
  if (!(await take())) return null
  let renewed_ms = monotonic_ms()
  return {
    id,
    renew: async () => {
      if (monotonic_ms() - renewed_ms < lease_ms / 6) return
      if (!(await take())) throw createSandboxBusyProblem()
      renewed_ms = monotonic_ms()
    },
    release: () => releaseSandboxLease(db, organization, id),
  }
}

export const createSandboxBusyProblem = (): Problem =>
  new Problem('invalid-state', 'Another call is advancing the clock of the sandbox or resetting it.')
