import { itemsDelete } from '@swath/contract/operations/items.ts'
import { handler } from '../../engine/handler.ts'
import { keepProjectOpen } from '../projects/access.ts'
import { missingItem, requireItem } from './access.ts'
import { trash } from './trash.ts'

export const deleteItem = handler(itemsDelete, async (call, input) => {
  const { id, project_id } = await requireItem(call, input.item_id, 'write', { allowExpired: true })
  await call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, project_id)
    if ((await trash(tx, call, [id])).length === 0) throw missingItem(id)
  })
  return { ok: true, id }
})
