import { shiftTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { emit, type Actor } from '../../events/emit.ts'
import { openBooks } from '../../ledger/books.ts'
import { openHoldsOf } from '../../ledger/charges.ts'
import { releaseSpend } from '../spend.ts'

const hour_ms = 3_600_000

/**
 * Releases holds whose jobs do not exist; returns the ids of the jobs. A job and its hold are written in one transaction,
 * so there should be none; holds of existing jobs are resolved by the module that runs them.
 */
export async function releaseOrphans(tx: Tx, actor: Actor, limit: number): Promise<string[]> {
  const { now } = await openBooks(tx, actor)
  const before = shiftTime(now, -hour_ms)
  const orphans = await openHoldsOf(tx, actor.organization, 'job', { before, limit })
  for (const { id, reference_id } of orphans) {
    await releaseSpend(tx, actor, id)
    await emit(tx, actor, { kind: 'job.released', entity_type: 'job', entity_id: reference_id, data: { hold_id: id } })
  }
  return orphans.map(({ reference_id }) => reference_id)
}
