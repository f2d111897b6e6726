import { itemsDetectAssetBands } from '@swath/contract/operations/items.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { develop } from '../rendering/darkroom.ts'
import { withProblems } from '../rendering/failures.ts'
import { requireAsset, requireItem } from './access.ts'
import { rasterOf } from './asset-source.ts'
import { openBudget } from './read-limits.ts'
import { knownBandNames, rankByReflectance } from './band-names.ts'

/** Number of pixels that is sufficient for medians to rank the bands. */
const enough_pixels = 100_000
const most_decoded_bytes = 256 * 1024 * 1024

export const detectAssetBands = handler(itemsDetectAssetBands, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const asset = await requireAsset(call, item, input.asset_id)
  const current_band_names = [...asset.band_names]
  if (!asset.raster) throw new Problem('unsupported-raster', 'The asset is not a raster with bands.')
  const known = knownBandNames({ item, asset })
  if (known) return { ...known, current_band_names }
  const raster = await withProblems(() => rasterOf(call, asset, openBudget('opening')))
  const request = { percentiles: [50], approximate_pixels: enough_pixels, most_decoded_bytes }
  const { bands } = await develop(ownerOf(call), 'statistics', [raster], request, call.signal)
  const medians = bands.map((band) => band.percentiles[0] ?? Number.NaN)
  return { suggested_band_names: rankByReflectance(medians), current_band_names, method: 'reflectance_ranking' }
})
