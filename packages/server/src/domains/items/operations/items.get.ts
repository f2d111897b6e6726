import { itemsGetOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireItem } from '../access.ts'
import { toItem } from '../item.ts'

export const handler = defineHandler(itemsGetOperation, async (call, input) => ({
  item: toItem(await requireItem(call, input.item_id, 'read')),
}))
