import { itemsGetStacOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireItem } from '../access.ts'
import { rowsToStacItems } from '../stac/stac-items.ts'
import { resolveLinkBase } from '../stac/link-base.ts'
import { findStacItemRows } from '../store.ts'

export const handler = defineHandler(itemsGetStacOperation, async (call, input) => {
  const base_url = resolveLinkBase(call, input.base_url)
  const { id } = await requireItem(call, input.item_id, 'read')
  const rows = await findStacItemRows(call.db, call.organization, [id])
  const [feature] = await rowsToStacItems(call.db, call.organization, rows, base_url)
  return feature!
})
