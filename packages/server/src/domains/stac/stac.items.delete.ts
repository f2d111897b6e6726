import { stacItemsDelete } from '@swath/contract/operations/stac.items.ts'
import { handler } from '../../engine/handler.ts'
import { linkBase } from '../items/link-base.ts'
import { lockMatching } from './replace-item.ts'
import { trash } from '../items/trash.ts'
import { keepProjectOpen } from '../projects/access.ts'
import { requireItemOf } from './item-of-collection.ts'

export const deleteStacItem = handler(stacItemsDelete, async (call, input) => {
  const base = linkBase(call, input.base_url)
  const { id, project_id } = await requireItemOf(call, input, { allowExpired: true })
  await call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, project_id)
    await lockMatching(tx, call, id, input.if_match ?? null, base)
    await trash(tx, call, [id])
  })
  return { ok: true, id }
})
