import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import { emitEvent } from '../events/emit.ts'
import { toCardEventData } from '../payment_methods/cards.ts'
import { markCardDetached, type CardRow } from '../payment_methods/store.ts'
import { cancelCardExpiryWarning } from './card-uses.ts'

/** Detaches a card, so that no new charge uses it. The ledger must be locked. */
export async function detachCard(tx: Tx, actor: Actor, row: CardRow): Promise<void> {
  const { organization } = actor
  await markCardDetached(tx, organization, row.id, actor.clock.now())
  await cancelCardExpiryWarning(tx, organization, row.id)
  await emitEvent(tx, actor, {
    kind: 'payment_method.detached',
    entity_type: 'payment_method',
    entity_id: row.id,
    data: toCardEventData(row),
  })
}
