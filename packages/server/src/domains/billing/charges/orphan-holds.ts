import { hour_ms } from '@swath/geo/time-units.ts'
import { shiftTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { StuckWorkFilter, StuckWorkRow } from '../../../engine/stuck-work.ts'
import { emitEvent } from '../../events/emit.ts'
import { openLedgerSession } from '../../ledger/ledger-session.ts'
import { releasePaymentHold } from '../payment.ts'
import { listOrphanHoldRows, type OrphanHoldRow } from './store.orphan-holds.ts'

/** Unresolved holds of orders and jobs that have ended or do not exist, oldest first. */
export async function listOrphanHolds(
  db: SqlStatementRunner,
  organization: string,
  filter: StuckWorkFilter,
): Promise<StuckWorkRow[]> {
  const holds = await listOrphanHoldRows(db, organization, { ...filter, reference_type: null })
  return holds.map(({ id, organization_id, reference_type, reference_id, amount_credits, created_at }) => ({
    id,
    organization_id,
    subject: `${reference_type} ${reference_id}`,
    reason: 'not-settled',
    detail: `${amount_credits} credits`,
    since: created_at,
  }))
}

/** The holds that were released. */
export interface ReleasedHolds {
  readonly job_ids: readonly string[]
  readonly credits: number
}

/**
 * Releases holds whose jobs have ended or do not exist, once they are an hour old; returns the jobs and the sum of the holds. A job and
 * its hold are written in one transaction, and so are its end and the resolution of the hold: there should be none.
 */
export async function releaseOrphanHolds(tx: Tx, actor: Actor, limit: number): Promise<ReleasedHolds> {
  const { now } = await openLedgerSession(tx, actor)
  const filter = { before: shiftTime(now, -hour_ms), id: null, limit, reference_type: 'job' } as const
  const holds = await listOrphanHoldRows(tx, actor.organization, filter)
  for (const hold of holds) await releaseHold(tx, actor, hold)
  return {
    job_ids: holds.map(({ reference_id }) => reference_id),
    credits: holds.reduce((sum, { amount_credits }) => sum + amount_credits, 0),
  }
}

/** Releases one of the listed holds for an operator. False if it was resolved meanwhile. */
export async function releaseOrphanHold(tx: Tx, actor: Actor, id: string): Promise<boolean> {
  const { now } = await openLedgerSession(tx, actor)
  const filter = { before: now, id, limit: 1, reference_type: null }
  const [hold] = await listOrphanHoldRows(tx, actor.organization, filter)
  if (!hold) return false
  await releaseHold(tx, actor, hold)
  return true
}

/** Releases a hold, and emits the event of its job; the end of an order has emitted its own. */
async function releaseHold(tx: Tx, actor: Actor, { id, reference_type, reference_id }: OrphanHoldRow): Promise<void> {
  await releasePaymentHold(tx, actor, id)
  if (reference_type !== 'job') return
  await emitEvent(tx, actor, {
    kind: 'job.released',
    entity_type: 'processing_job',
    entity_id: reference_id,
    data: { hold_id: id },
  })
}
