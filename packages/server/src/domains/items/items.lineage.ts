import { itemsLineage } from '@swath/contract/operations/items.ts'
import { handler } from '../../engine/handler.ts'
import { visibilityOf } from '../projects/visibility.ts'
import { relatives } from '../provenance/relatives.ts'
import { requireItem } from './access.ts'

export const getItemLineage = handler(itemsLineage, async (call, input) => {
  const { id } = await requireItem(call, input.item_id, 'read', { allowExpired: true })
  const visible = await visibilityOf(call)
  return {
    item_id: id,
    parents: await relatives(call.db, call.organization, { type: 'item', id }, 'up', visible),
    children: await relatives(call.db, call.organization, { type: 'item', id }, 'down', visible),
  }
})
