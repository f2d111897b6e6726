import { itemsTileVectorOperation } from '@swath/contract/operations/items.tile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createImageResponse } from '../image-response.ts'
import { requireTileInGrid } from '../tile.ts'
import { runFeatureJob, requireVectorAsset } from '../../vectors/vector-asset.ts'
import { mvtMediaType, vectorLayerId } from '../../vectors/vector-tiles.ts'
import { requireItem } from '../../items/access.ts'
import { findAssetsOfItem } from '../../items/assets/store.assets.ts'

export const handler = defineHandler(itemsTileVectorOperation, async (call, input) => {
  const { z, x, y } = input
  requireTileInGrid(input)
  const item = await requireItem(call, input.item_id, 'read')
  const asset = requireVectorAsset(await findAssetsOfItem(call.db, call.organization, item.id), input.asset_key ?? null)
  const tile = { z, x, y, layer: vectorLayerId }
  return createImageResponse(call, asset.checksum_sha256 ?? asset.id, { vector: tile }, async () => ({
    body: await runFeatureJob(call, asset, 'tile', tile),
    media_type: mvtMediaType,
  }))
})
