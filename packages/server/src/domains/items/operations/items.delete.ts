import { itemsDeleteOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { lockOpenProject } from '../../projects/access.ts'
import { itemNotFound, requireItem } from '../access.ts'
import { softDeleteItems } from '../soft-delete.ts'

export const handler = defineHandler(itemsDeleteOperation, async (call, input) => {
  const { id, project_id } = await requireItem(call, input.item_id, 'write', { allowExpired: true })
  await call.transaction(async (tx) => {
    await lockOpenProject(tx, call, project_id)
    if ((await softDeleteItems(tx, call, [id])).length === 0) throw itemNotFound(id)
  })
  return { ok: true, id }
})
