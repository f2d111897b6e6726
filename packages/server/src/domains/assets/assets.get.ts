import { assetsGet } from '@swath/contract/operations/assets.ts'
import { handler } from '../../engine/handler.ts'
import { requireAsset, requireItem } from '../items/access.ts'
import { assetOf } from '../items/item.ts'
import { stacAssetsOf, withBase } from '../items/stac-asset.ts'

export const getAsset = handler(assetsGet, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const asset = await requireAsset(call, item, input.asset_id)
  const described = withBase(stacAssetsOf([asset]), call.baseUrl)
  return { asset: assetOf(asset, call.baseUrl), stac: { ...described[asset.key] } }
})
