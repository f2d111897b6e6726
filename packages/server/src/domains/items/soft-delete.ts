import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import { markProvenanceEntitiesDeleted } from '../provenance/record-provenance.ts'
import { emitItemsDeleted } from './item-events.ts'
import { lockItems, markItemsDeleted } from './store.item-lifecycle.ts'
import type { ItemRow } from './store.ts'

/**
 * Soft-deletes items in one transaction: they are hidden, and can be restored with their assets for 30 days, in which
 * their bytes still count. Returns the items that existed.
 */
export async function softDeleteItems(tx: Tx, actor: Actor, ids: readonly string[]): Promise<ItemRow[]> {
  const existing = (await lockItems(tx, actor.organization, ids)).filter((item) => item.deleted_at === null)
  if (existing.length === 0) return []
  const deletedIds = existing.map(({ id }) => id)
  await markItemsDeleted(tx, actor.organization, deletedIds, actor.clock.now())
  await markProvenanceEntitiesDeleted(
    tx,
    actor,
    deletedIds.map((id) => ({ type: 'item', id })),
  )
  await emitItemsDeleted(tx, actor, existing)
  return existing
}
