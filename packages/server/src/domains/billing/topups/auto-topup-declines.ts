import type { Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../../engine/actor.ts'
import { emitEvent } from '../../events/emit.ts'
import { setLowBalanceThreshold } from '../../ledger/low-balance.ts'
import { updateAutoTopupDeclines, markAutoTopupDisabled } from './store.auto-topups.ts'

/** Emits `topup.failed` for an auto top-up that was not made. */
export const emitAutoTopupFailed = (tx: Tx, actor: Actor, data: Readonly<Record<string, unknown>>): Promise<void> =>
  emitEvent(tx, actor, {
    kind: 'topup.failed',
    entity_type: 'organization',
    entity_id: actor.organization,
    data: { kind: 'auto', ...data },
  })

/** Counts a decline; after too many in a row, disables auto top-up and emits `topup.failed`. */
export async function recordAutoTopupDecline(tx: Tx, actor: Actor): Promise<void> {
  const row = await updateAutoTopupDeclines(tx, actor.organization)
  if (!row?.enabled || row.consecutive_declines < row.max_consecutive_declines) return
  await markAutoTopupDisabled(tx, actor.organization, actor.principal.id, actor.clock.now())
  await setLowBalanceThreshold(tx, actor.organization, null)
  await emitAutoTopupFailed(tx, actor, { reason: 'stopped', consecutive_declines: row.consecutive_declines })
}
