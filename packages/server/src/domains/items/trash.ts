import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import { buryAll } from '../provenance/record.ts'
import { announceDeleted } from './announce.ts'
import { lockItems, trashItems } from './store.life.ts'
import type { ItemRow } from './store.ts'

/**
 * Soft-deletes items in one transaction: they are hidden, and can be restored with their assets for 30 days, in which
 * their bytes still count. Returns the items that existed.
 */
export async function trash(tx: Tx, actor: Actor, ids: readonly string[]): Promise<ItemRow[]> {
  const there = (await lockItems(tx, actor.organization, ids)).filter((item) => item.deleted_at === null)
  if (there.length === 0) return []
  const gone = there.map(({ id }) => id)
  await trashItems(tx, actor.organization, gone, actor.clock.now())
  await buryAll(
    tx,
    actor,
    gone.map((id) => ({ type: 'item', id })),
  )
  await announceDeleted(tx, actor, there)
  return there
}
