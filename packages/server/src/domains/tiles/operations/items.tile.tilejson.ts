import { itemsTileTilejsonOperation } from '@swath/contract/operations/items.tile.ts'
import type { TileJson } from '@swath/contract/schemas/tilejson.ts'
import { isValidBounds } from '@swath/geo/bbox.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import { resolveItemRendering } from '../item-rendering.ts'
import type { BandLook } from '../style/band-look.ts'
import { computeZoomRangeAndBounds } from '../zoom.ts'
import { listVectorFields, isVectorAsset } from '../../vectors/vector-asset.ts'
import { buildVectorTileMetadata } from '../../vectors/vector-tiles.ts'
import { isRenderable, requireItem } from '../../items/access.ts'
import { findItemAttribution } from '../../items/stac/attribution.ts'
import { findAssetsOfItem, type AssetRow } from '../../items/assets/store.assets.ts'
import type { ItemRow } from '../../items/store.ts'
import { buildItemTileUrlTemplate } from '../tile-urls.ts'

type TileJsonInput = Parameters<typeof resolveItemRendering>[2] & { readonly format: string; readonly key: string }
type TileJsonTiles = Pick<TileJson, 'tiles' | 'minzoom' | 'maxzoom' | 'bounds' | 'center' | 'vector_layers' | 'legend'>

export const handler = defineHandler(itemsTileTilejsonOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const vectorAsset = await chooseVectorAsset(call, item, input.asset_key ?? null)
  const tileJson = vectorAsset
    ? vectorTileJson(call, item, vectorAsset, input)
    : await rasterTileJson(call, item, input)
  const attribution = findItemAttribution(item.properties)
  return {
    tilejson: '3.0.0' as const,
    name: item.name,
    ...(item.description === null ? {} : { description: item.description }),
    ...(attribution === null ? {} : { attribution }),
    scheme: 'xyz' as const,
    ...tileJson,
  }
})

/** The vector asset with the key; without a key, a vector asset only if the item has no raster. */
async function chooseVectorAsset(call: Call, item: ItemRow, key: string | null): Promise<AssetRow | null> {
  const assets = await findAssetsOfItem(call.db, call.organization, item.id)
  if (key === null && assets.some(isRenderable)) return null
  return assets.find((asset) => isVectorAsset(asset) && (key === null || asset.key === key)) ?? null
}

async function rasterTileJson(call: Call, item: ItemRow, input: TileJsonInput): Promise<TileJsonTiles> {
  const { asset, style } = await resolveItemRendering(call, item, input)
  assertInvariant(asset.raster !== null, 'a raster asset has raster metadata')
  const { minzoom, maxzoom, bounds, center } = computeZoomRangeAndBounds(asset.raster)
  const { profile, asset_key, key, format } = input
  const tiles = [buildItemTileUrlTemplate(call.baseUrl, item.id, format, { profile, asset_key, key })]
  const legend = style.look ? { legend: toLegend(style.look) } : {}
  return { tiles, minzoom, maxzoom, bounds, center: [...center, minzoom], ...legend }
}

const toLegend = ({ title, colormap_name, range, classes }: BandLook): NonNullable<TileJson['legend']> => ({
  title,
  colormap: colormap_name,
  range: range && [...range],
  classes: classes && classes.map((one) => ({ ...one })),
})

function vectorTileJson(call: Call, item: ItemRow, asset: AssetRow, { asset_key, key }: TileJsonInput): TileJsonTiles {
  const bounds = item.bbox && isValidBounds(item.bbox) ? item.bbox : ([-180, -90, 180, 90] as const)
  const tiles = [buildItemTileUrlTemplate(call.baseUrl, item.id, 'mvt', { asset_key, key })]
  return { tiles, ...buildVectorTileMetadata(bounds, listVectorFields(asset)) }
}
