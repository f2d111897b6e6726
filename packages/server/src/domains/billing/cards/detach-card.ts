import type { Tx } from '../../../platform/database/database.ts'
import { emit, type Actor } from '../../events/emit.ts'
import { cardData, markDetached, type CardRow } from '../../payment_methods/cards.ts'
import { dropCardWarning } from './card-uses.ts'

/** Detaches a card, so that no new charge uses it. The ledger must be locked. */
export async function detachCard(tx: Tx, actor: Actor, row: CardRow): Promise<void> {
  const { organization } = actor
  await markDetached(tx, organization, row.id, actor.clock.now())
  await dropCardWarning(tx, organization, row.id)
  await emit(tx, actor, {
    kind: 'payment_method.detached',
    entity_type: 'payment_method',
    entity_id: row.id,
    data: cardData(row),
  })
}
