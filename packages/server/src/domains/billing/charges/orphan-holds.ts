import { shiftTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../../engine/actor.ts'
import { emitEvent } from '../../events/emit.ts'
import { openLedgerSession } from '../../ledger/ledger-session.ts'
import { listUnresolvedHolds } from '../../ledger/charges.ts'
import { releasePayment } from '../payment.ts'
import { listOrphanHolds } from './store.orphan-holds.ts'

export { listOrphanHolds } from './store.orphan-holds.ts'

const hour_ms = 3_600_000

/** The holds that were released. */
export interface ReleasedHolds {
  readonly job_ids: readonly string[]
  readonly credits: number
}

/**
 * Releases holds whose jobs do not exist; returns the jobs and the sum of the holds. A job and its hold are written in one transaction,
 * so there should be none; holds of existing jobs are resolved by the module that runs them.
 */
export async function releaseOrphanHolds(tx: Tx, actor: Actor, limit: number): Promise<ReleasedHolds> {
  const { now } = await openLedgerSession(tx, actor)
  const before = shiftTime(now, -hour_ms)
  const orphans = await listUnresolvedHolds(tx, actor.organization, 'job', { before, limit })
  for (const { id, reference_id } of orphans) {
    await releasePayment(tx, actor, id)
    await emitEvent(tx, actor, {
      kind: 'job.released',
      entity_type: 'processing_job',
      entity_id: reference_id,
      data: { hold_id: id },
    })
  }
  return {
    job_ids: orphans.map(({ reference_id }) => reference_id),
    credits: orphans.reduce((sum, { amount_credits }) => sum + amount_credits, 0),
  }
}

/** Releases one of them for an operator. False if it was resolved meanwhile. */
export async function releaseOrphanHold(tx: Tx, actor: Actor, id: string): Promise<boolean> {
  const { now } = await openLedgerSession(tx, actor)
  const [hold] = await listOrphanHolds(tx, actor.organization, { before: now, id, limit: 1 })
  if (!hold) return false
  await releasePayment(tx, actor, id)
  return true
}
