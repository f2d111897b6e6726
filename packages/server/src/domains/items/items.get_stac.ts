import { itemsGetStac } from '@swath/contract/operations/items.ts'
import { handler } from '../../engine/handler.ts'
import { requireItem } from './access.ts'
import { featuresOf } from './features.ts'
import { linkBase } from './link-base.ts'
import { findStacRows } from './store.ts'

export const getStacItem = handler(itemsGetStac, async (call, input) => {
  const base = linkBase(call, input.base_url)
  const { id } = await requireItem(call, input.item_id, 'read')
  const rows = await findStacRows(call.db, call.organization, [id])
  const [feature] = await featuresOf(call.db, call.organization, rows, base)
  return feature!
})
