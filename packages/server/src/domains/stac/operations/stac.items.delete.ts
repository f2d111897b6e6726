import { stacItemsDeleteOperation } from '@swath/contract/operations/stac.items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { lockItemIfMatch } from '../replace-item.ts'
import { softDeleteItems } from '../../items/soft-delete.ts'
import { lockOpenProject } from '../../projects/access.ts'
import { requireItemInCollection } from '../item-of-collection.ts'

export const handler = defineHandler(stacItemsDeleteOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const { id, project_id } = await requireItemInCollection(call, input, { allowExpired: true })
  await call.transaction(async (tx) => {
    await lockOpenProject(tx, call, project_id)
    await lockItemIfMatch(tx, call, { id, if_match: input.if_match ?? null, base })
    await softDeleteItems(tx, call, [id])
  })
  return { ok: true, id }
})
