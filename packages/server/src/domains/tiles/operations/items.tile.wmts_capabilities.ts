import { itemsTileWmtsCapabilitiesOperation } from '@swath/contract/operations/items.tile.ts'
import { createBytesResponse } from '../../../engine/operation-response.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import { resolveItemRendering } from '../item-rendering.ts'
import { renderWmtsCapabilities } from '../wmts.ts'
import { computeZoomRangeAndBounds } from '../zoom.ts'
import { requireItem } from '../../items/access.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { formatQueryString, buildItemTilesUrl } from '../tile-urls.ts'

export const handler = defineHandler(itemsTileWmtsCapabilitiesOperation, async (call, input) => {
  const base_url = resolveLinkBase(call, input.base_url)
  const item = await requireItem(call, input.item_id, 'read')
  const { asset } = await resolveItemRendering(call, item, input)
  assertInvariant(asset.raster !== null, 'a raster asset has raster metadata')
  const { key, profile, asset_key } = input
  const query = formatQueryString({ key, profile, asset_key })
  const service = `${buildItemTilesUrl(base_url, item.id)}/wmts`
  const text = renderWmtsCapabilities({
    id: item.id,
    title: item.name,
    abstract: item.description,
    range: computeZoomRangeAndBounds(asset.raster),
    kvp: query === '' ? `${service}?` : `${service}${query}&`,
    template: (extension) => `${service}/{TileMatrix}/{TileRow}/{TileCol}.${extension}${query}`,
  })
  return createBytesResponse(Buffer.from(text), 'application/xml', { 'cache-control': 'private, no-cache' })
})
