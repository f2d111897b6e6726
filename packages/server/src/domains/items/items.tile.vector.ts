import { itemsTileVector } from '@swath/contract/operations/items.vector.ts'
import { handler } from '../../engine/handler.ts'
import { imageAnswer } from '../rendering/image-answer.ts'
import { requireTile } from '../rendering/tile.ts'
import { askFeatures, requireVectorAsset } from '../vectors/vector-asset.ts'
import { mvtType, vector_layer } from '../vectors/vector-tiles.ts'
import { requireItem } from './access.ts'
import { assetsOf } from './store.assets.ts'

export const cutItemTile = handler(itemsTileVector, async (call, input) => {
  const { z, x, y } = input
  requireTile(input)
  const item = await requireItem(call, input.item_id, 'read')
  const asset = requireVectorAsset(await assetsOf(call.db, call.organization, item.id), input.asset_key ?? null)
  const tile = { z, x, y, layer: vector_layer }
  return imageAnswer(asset.checksum_sha256 ?? asset.id, { vector: tile }, async () => ({
    body: await askFeatures(call, asset, 'tile', tile),
    media_type: mvtType,
  }))
})
