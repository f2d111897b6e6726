import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import { buryAll } from '../provenance/record.ts'
import { announceDeleted } from './announce.ts'
import { lockItems, trashItems } from './store.life.ts'
import type { ItemRow } from './store.ts'

/**
 * Deletes items softly, in one transaction: nobody finds them any more, and for 30 days they can be brought back with
 * their assets, whose bytes count so long. Answers those that were there.
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
