import { itemsListByCollectionOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { computeNextOffsetMembers } from '../../../engine/page.ts'
import { requireCollection } from '../../collections/access.ts'
import { createItemPageResponse } from '../search/item-page.ts'
import { listItemRows } from '../store.ts'

export const handler = defineHandler(itemsListByCollectionOperation, async (call, input) => {
  const { collection_id, limit, offset } = input
  await requireCollection(call, collection_id, 'read')
  const now = call.clock.now()
  const { page, total } = await listItemRows(call.db, call.organization, { collection_id, now, limit, offset })
  return createItemPageResponse(call, 'items', {
    page,
    pageMembers: (returned) => computeNextOffsetMembers({ limit, offset }, total, returned),
  })
})
