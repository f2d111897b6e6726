import { itemsListByCollection } from '@swath/contract/operations/items.search.ts'
import { handler } from '../../engine/handler.ts'
import { requireCollection } from '../collections/access.ts'
import { answerItems, nextOffset } from './item-page.ts'
import { listItems } from './store.ts'

export const listItemsOfCollection = handler(itemsListByCollection, async (call, input) => {
  const { collection_id, limit, offset } = input
  await requireCollection(call, collection_id, 'read')
  const now = call.clock.now()
  const { page, total } = await listItems(call.db, call.organization, { collection_id, now, limit, offset })
  return answerItems(call, page, 'items', (returned) => ({
    limit,
    offset,
    total,
    next_offset: nextOffset(offset, returned, total),
  }))
})
