import { itemsListAssetsOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { requireItem } from '../access.ts'
import { toAsset } from '../item.ts'
import { findAssetsOfItem } from '../assets/store.assets.ts'

export const handler = defineHandler(itemsListAssetsOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const rows = await findAssetsOfItem(call.db, call.organization, item.id)
  const assets = rows.map((row) => toAsset(row, call.baseUrl))
  return toCompleteList('assets', assets)
})
