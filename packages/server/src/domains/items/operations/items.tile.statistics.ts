import { itemsTileStatisticsOperation } from '@swath/contract/operations/items.tile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { convertRasterFailures } from '../../rendering/failures.ts'
import { resolveItemRendering } from '../../rendering/item-rendering.ts'
import { min_overview_pixels, measureRaster } from '../../rendering/measure.ts'
import { toBandStatistics, default_bins, addMedian } from '../../rendering/statistics.ts'
import { toMeasureTarget } from '../../rendering/measure-target.ts'
import { requireItem } from '../access.ts'
import { openAssetRaster } from '../../rendering/asset-source.ts'
import { createReadBudget } from '../search/read-limits.ts'
import { rasterJobsOf } from '../../rendering/raster-pool.ts'

const percentiles = [2, 98]

export const handler = defineHandler(itemsTileStatisticsOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const { asset, style } = await resolveItemRendering(call, item, input)
  const measures = await measureRaster({
    raster: await convertRasterFailures(() => openAssetRaster(call, asset, createReadBudget('measurement'))),
    target: toMeasureTarget(style),
    area: null,
    percentiles: addMedian(percentiles),
    histogram: { bins: default_bins },
    approximate_pixels: min_overview_pixels,
    jobs: rasterJobsOf(call),
    signal: call.signal,
  })
  const statistics = toBandStatistics(measures.bands[0]!, percentiles)
  return { expression: input.expression, statistics, approximate: measures.approximate }
})
