import { itemsTileTilejson } from '@swath/contract/operations/items.tile.ts'
import type { TileJson } from '@swath/contract/shapes/tilejson.ts'
import { isBounds } from '@swath/geo/bbox.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { invariant } from '../../engine/problem.ts'
import { pictureOfItem } from '../rendering/item-picture.ts'
import { tileRangeOf } from '../rendering/zoom.ts'
import { fieldsOf, isVector } from '../vectors/vector-asset.ts'
import { vectorTileFacts } from '../vectors/vector-tiles.ts'
import { isRaster, requireItem } from './access.ts'
import { attributionOf } from './attribution.ts'
import { assetsOf, type AssetRow } from './store.assets.ts'
import type { ItemRow } from './store.ts'
import { tileTemplate } from './tile-addresses.ts'

type Asked = Parameters<typeof pictureOfItem>[2] & { readonly format: string; readonly key: string }
type Facts = Pick<TileJson, 'tiles' | 'minzoom' | 'maxzoom' | 'bounds' | 'center' | 'vector_layers'>

export const describeItemTiles = handler(itemsTileTilejson, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const vector = await vectorMeant(call, item, input.asset_key ?? null)
  const facts = vector ? vectorFacts(call, item, vector, input) : await rasterFacts(call, item, input)
  const attribution = attributionOf(item.properties)
  return {
    tilejson: '3.0.0' as const,
    name: item.name,
    ...(item.description === null ? {} : { description: item.description }),
    ...(attribution === null ? {} : { attribution }),
    scheme: 'xyz' as const,
    ...facts,
  }
})

/** The vector asset with the key; without a key, a vector asset only if the item has no raster. */
async function vectorMeant(call: Call, item: ItemRow, key: string | null): Promise<AssetRow | null> {
  const assets = await assetsOf(call.db, call.organization, item.id)
  if (key === null && assets.some(isRaster)) return null
  return assets.find((asset) => isVector(asset) && (key === null || asset.key === key)) ?? null
}

async function rasterFacts(call: Call, item: ItemRow, asked: Asked): Promise<Facts> {
  const { asset } = await pictureOfItem(call, item, asked)
  invariant(asset.raster !== null, 'a raster asset has raster metadata')
  const { minzoom, maxzoom, bounds, center } = tileRangeOf(asset.raster)
  const { profile, asset_key, key, format } = asked
  const tiles = [tileTemplate(call.baseUrl, item.id, format, { profile, asset_key, key })]
  return { tiles, minzoom, maxzoom, bounds, center: [...center, minzoom] }
}

function vectorFacts(call: Call, item: ItemRow, asset: AssetRow, { asset_key, key }: Asked): Facts {
  const box = item.bbox && isBounds(item.bbox) ? item.bbox : ([-180, -90, 180, 90] as const)
  const tiles = [tileTemplate(call.baseUrl, item.id, 'mvt', { asset_key, key })]
  return { tiles, ...vectorTileFacts(box, fieldsOf(asset)) }
}
