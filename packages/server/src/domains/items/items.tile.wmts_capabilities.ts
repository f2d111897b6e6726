import { itemsTileWmtsCapabilities } from '@swath/contract/operations/items.tile.ts'
import { bytes } from '../../engine/answer.ts'
import { handler } from '../../engine/handler.ts'
import { invariant } from '../../engine/problem.ts'
import { pictureOfItem } from '../rendering/item-picture.ts'
import { wmtsCapabilities } from '../rendering/wmts.ts'
import { tileRangeOf } from '../rendering/zoom.ts'
import { requireItem } from './access.ts'
import { linkBase } from './link-base.ts'
import { queryOf, tilesRoot } from './tile-addresses.ts'

export const describeItemWmts = handler(itemsTileWmtsCapabilities, async (call, input) => {
  const root = linkBase(call, input.base_url)
  const item = await requireItem(call, input.item_id, 'read')
  const { asset } = await pictureOfItem(call, item, input)
  invariant(asset.raster !== null, 'a raster asset has raster metadata')
  const { key, profile, asset_key } = input
  const query = queryOf({ key, profile, asset_key })
  const service = `${tilesRoot(root, item.id)}/wmts`
  const text = wmtsCapabilities({
    id: item.id,
    title: item.name,
    abstract: item.description,
    range: tileRangeOf(asset.raster),
    kvp: query === '' ? `${service}?` : `${service}${query}&`,
    template: (extension) => `${service}/{TileMatrix}/{TileRow}/{TileCol}.${extension}${query}`,
  })
  return bytes(Buffer.from(text), 'application/xml', { 'cache-control': 'private, no-cache' })
})
