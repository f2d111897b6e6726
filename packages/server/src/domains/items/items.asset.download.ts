import { itemsAssetDownload } from '@swath/contract/operations/items.ts'
import { handler } from '../../engine/handler.ts'
import { requireAsset, requireItem } from './access.ts'
import { giveDownload, mintDownload } from './download-asset.ts'

export const downloadAsset = handler(itemsAssetDownload, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const asset = await requireAsset(call, item, input.asset_id)
  return input.again ? giveDownload(call, item, asset) : mintDownload(call, item, asset)
})
