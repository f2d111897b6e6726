import { assetsGetOperation } from '@swath/contract/operations/assets.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireAsset, requireItem } from '../../items/access.ts'
import { toAsset } from '../../items/item.ts'
import { toStacAssets, completeStacAssets } from '../../items/stac/stac-asset.ts'

export const handler = defineHandler(assetsGetOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const asset = await requireAsset(call, item, input.asset_id)
  const stacAssets = completeStacAssets(toStacAssets([asset]), call.baseUrl)
  return { asset: toAsset(asset, call.baseUrl), stac: { ...stacAssets[asset.key] } }
})
