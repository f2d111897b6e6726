import { itemsDetectAssetBandsOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { convertRasterFailures } from '../../tiles/failures.ts'
import { requireAsset, requireItem } from '../access.ts'
import { openAssetRaster } from '../../tiles/asset-source.ts'
import { createRasterReadBudget } from '../search/read-limits.ts'
import { suggestBandNames, guessBandsByReflectance } from '../assets/band-names.ts'
import { getCallerRasterJobRunner } from '../../tiles/raster-pool.ts'

/** Number of pixels that is sufficient for medians to rank the bands. */
const sample_pixels = 100_000
const max_decoded_bytes = 256 * 1024 * 1024

export const handler = defineHandler(itemsDetectAssetBandsOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const asset = await requireAsset(call, item, input.asset_id)
  const current_band_names = [...asset.band_names]
  if (!asset.raster) throw new Problem('unsupported-raster', 'The asset is not a raster with bands.')
  const suggestion = suggestBandNames({ item, asset })
  if (suggestion) return { ...suggestion, current_band_names }
  const raster = await convertRasterFailures(() => openAssetRaster(call, asset, createRasterReadBudget('opening')))
  const request = { percentiles: [50], approximate_pixels: sample_pixels, max_decoded_bytes }
  const { bands } = await getCallerRasterJobRunner(call).run('statistics', [raster], request, { signal: call.signal })
  const medians = bands.map((band) => band.percentiles[0] ?? Number.NaN)
  return { suggested_band_names: guessBandsByReflectance(medians), current_band_names, method: 'reflectance_ranking' }
})
