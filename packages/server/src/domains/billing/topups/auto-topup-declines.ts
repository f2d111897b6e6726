import type { Tx } from '../../../platform/database/database.ts'
import { emit, type Actor } from '../../events/emit.ts'
import { setLowBalance } from '../../ledger/low-balance.ts'
import { addDecline, switchOff } from './store.auto-topups.ts'

/** Emits `topup.failed` for an auto top-up that was not made. */
export const tellUnfilled = (tx: Tx, actor: Actor, data: Readonly<Record<string, unknown>>): Promise<void> =>
  emit(tx, actor, {
    kind: 'topup.failed',
    entity_type: 'organization',
    entity_id: actor.organization,
    data: { kind: 'auto', ...data },
  })

/** Counts a decline; after too many in a row, disables auto top-up and emits `topup.failed`. */
export async function countDecline(tx: Tx, actor: Actor): Promise<void> {
  const row = await addDecline(tx, actor.organization)
  if (!row?.enabled || row.consecutive_declines < row.max_consecutive_declines) return
  await switchOff(tx, actor.organization, actor.principal.id, actor.clock.now())
  await setLowBalance(tx, actor.organization, null)
  await tellUnfilled(tx, actor, { reason: 'stopped', consecutive_declines: row.consecutive_declines })
}
