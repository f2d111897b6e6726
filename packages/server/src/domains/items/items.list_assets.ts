import { itemsListAssets } from '@swath/contract/operations/items.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { requireItem } from './access.ts'
import { assetOf } from './item.ts'
import { assetsOf } from './store.assets.ts'

export const listAssets = handler(itemsListAssets, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const rows = await assetsOf(call.db, call.organization, item.id)
  const assets = rows.map((row) => assetOf(row, call.baseUrl))
  return { assets, ...wholeWindow(assets) }
})
