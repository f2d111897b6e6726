import { itemsTileTilejson } from '@swath/contract/operations/items.tile.ts'
import { handler } from '../../engine/handler.ts'
import { invariant } from '../../engine/problem.ts'
import { pictureOfItem } from '../rendering/item-picture.ts'
import { tileRangeOf } from '../rendering/zoom.ts'
import { requireItem } from './access.ts'
import { attributionOf } from './attribution.ts'
import { tileTemplate } from './tile-addresses.ts'

export const describeItemTiles = handler(itemsTileTilejson, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const { asset } = await pictureOfItem(call, item, input)
  invariant(asset.raster !== null, 'a raster asset has facts')
  const range = tileRangeOf(asset.raster)
  const { profile, asset_key, key } = input
  const attribution = attributionOf(item.properties)
  return {
    tilejson: '3.0.0' as const,
    name: item.name,
    ...(item.description === null ? {} : { description: item.description }),
    ...(attribution === null ? {} : { attribution }),
    scheme: 'xyz' as const,
    tiles: [tileTemplate(call.baseUrl, item.id, input.format, { profile, asset_key, key })],
    minzoom: range.minzoom,
    maxzoom: range.maxzoom,
    bounds: range.bounds,
    center: [...range.center, range.minzoom],
  }
})
