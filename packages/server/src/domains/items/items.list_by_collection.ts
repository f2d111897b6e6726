import { itemsListByCollection } from '@swath/contract/operations/items.search.ts'
import { handler } from '../../engine/handler.ts'
import { requireCollection } from '../collections/access.ts'
import { itemOf } from './item.ts'
import { listItems } from './store.ts'

export const listItemsOfCollection = handler(itemsListByCollection, async (call, input) => {
  const { collection_id, limit, offset } = input
  await requireCollection(call, collection_id, 'read')
  const now = call.clock.now(call.organization)
  const { rows, total } = await listItems(call.db, call.organization, { collection_id, now, limit, offset })
  return { items: rows.map(itemOf), limit, offset, total }
})
