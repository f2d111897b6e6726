import type { Tx } from '../../../platform/database/database.ts'
import { emit, type Actor } from '../../events/emit.ts'
import { setLowBalance } from '../../ledger/low-balance.ts'
import { addDecline, switchOff } from './store.auto-topups.ts'

/** What is told of a wallet that does not fill itself this time. */
export const tellUnfilled = (tx: Tx, actor: Actor, data: Readonly<Record<string, unknown>>): Promise<void> =>
  emit(tx, actor, {
    kind: 'topup.failed',
    entity_type: 'organization',
    entity_id: actor.organization,
    data: { kind: 'auto', ...data },
  })

/** Counts a card that said no; after too many in a row the wallet stops filling itself, and its owner is told. */
export async function countDecline(tx: Tx, actor: Actor): Promise<void> {
  const row = await addDecline(tx, actor.organization)
  if (!row?.enabled || row.consecutive_declines < row.max_consecutive_declines) return
  await switchOff(tx, actor.organization, actor.principal.id, actor.clock.now())
  await setLowBalance(tx, actor.organization, null)
  await tellUnfilled(tx, actor, { reason: 'stopped', consecutive_declines: row.consecutive_declines })
}
