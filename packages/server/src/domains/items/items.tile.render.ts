import { itemsTileRender } from '@swath/contract/operations/items.tile.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { imageAnswer } from '../rendering/image-answer.ts'
import { readLook } from '../rendering/look.ts'
import { formatOf, renderTile, requireTile } from '../rendering/tile.ts'
import { withProblems } from '../rendering/failures.ts'
import { requireItem, requireRasterAsset } from './access.ts'
import { rasterOf } from './asset-source.ts'
import { drawnBands } from './drawn-bands.ts'

export const renderItemTile = handler(itemsTileRender, async (call, input) => {
  const { z, x, y, quality } = input
  requireTile(input)
  const item = await requireItem(call, input.item_id, 'read')
  if (input.profile) throw new Problem('not-found', `The item has no visualization profile "${input.profile}".`)
  const asset = await requireRasterAsset(call, item, input.asset_key ?? null)
  const bands = drawnBands(asset)
  const look = readLook(input, bands)
  const raster = await withProblems(() => rasterOf(call, asset))
  const format = formatOf(input.format)
  const size = input.scale === 2 ? 512 : 256
  const tile = { raster, bands, look, z, x, y, size, format, quality, area: null, signal: call.signal } as const
  const { item_id: _, asset_key: __, ...drawn } = input
  const source = asset.checksum_sha256 ?? asset.id
  return imageAnswer(source, { ...drawn, names: bands }, () => renderTile(tile))
})
