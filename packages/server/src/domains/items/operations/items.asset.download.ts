import { itemsAssetDownloadOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireAsset, requireItem } from '../access.ts'
import { getDownloadUrl, issueDownloadUrl } from '../assets/download-url.ts'

export const handler = defineHandler(itemsAssetDownloadOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const asset = await requireAsset(call, item, input.asset_id)
  return input.again ? getDownloadUrl(call, item, asset) : issueDownloadUrl(call, item, asset)
})
