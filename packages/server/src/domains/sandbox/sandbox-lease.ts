import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { monotonic_ms } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { releaseSandboxLease, takeSandboxLease } from '../../platform/sandbox/store.sandboxes.ts'

/** A call whose process was killed gives way after this time. */
const lease_ms = 60_000

/**
 * Runs work that one call at a time may do in a sandbox; it renews the lease between its steps. Throws `invalid-state` while
 * another call works.
 */
export async function withSandboxLease<T>(
  call: Pick<Call, 'db' | 'clocks' | 'organization'>,
  work: (renew: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { db, organization } = call
  const lease = newId()
  const take = async (): Promise<void> => {
    const processTime = call.clocks.process.now()
    const until = new Date(processTime.getTime() + lease_ms)
    if (!(await takeSandboxLease(db, organization, { lease, processTime, until })))
      throw new Problem('invalid-state', 'Another call is advancing the clock of the sandbox or resetting it.')
  }
  await take()
  let renewed_ms = monotonic_ms()
  const renew = async (): Promise<void> => {
    if (monotonic_ms() - renewed_ms < lease_ms / 6) return
    await take()
    renewed_ms = monotonic_ms()
  }
  try {
    return await work(renew)
  } finally {
    await releaseSandboxLease(db, organization, lease)
  }
}
