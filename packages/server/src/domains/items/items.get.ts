import { itemsGet } from '@swath/contract/operations/items.ts'
import { handler } from '../../engine/handler.ts'
import { requireItem } from './access.ts'
import { itemOf } from './item.ts'

export const getItem = handler(itemsGet, async (call, input) => ({
  item: itemOf(await requireItem(call, input.item_id, 'read')),
}))
