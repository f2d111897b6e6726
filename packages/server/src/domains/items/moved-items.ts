import type { Actor } from '../../engine/actor.ts'
import type { Tx } from '../../platform/database/database.ts'
import { emitItemsMoved } from './item-events.ts'
import { listMovedItems } from './store.item-lifecycle.ts'

const batch_items = 1000

/** Emits an event for each item that a deleted collection has left behind, or that is in a restored one again. */
export async function emitEventsOfMovedItems(tx: Tx, actor: Actor, collection_id: string): Promise<void> {
  let after: string | null = null
  for (;;) {
    const items = await listMovedItems(tx, actor.organization, collection_id, { after, limit: batch_items })
    await emitItemsMoved(tx, actor, items)
    if (items.length < batch_items) return
    after = items.at(-1)!.id
  }
}
