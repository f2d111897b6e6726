import { itemsTileStatisticsOperation } from '@swath/contract/operations/items.tile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { convertRasterFailures } from '../failures.ts'
import { resolveItemRendering } from '../item-rendering.ts'
import { min_measured_overview_pixels, measureRaster } from '../measure/measure.ts'
import { toBandStatistics, default_histogram_bins, addMedianPercentile } from '../measure/statistics.ts'
import { toMeasureTarget } from '../measure/measure-target.ts'
import { requireItem } from '../../items/access.ts'
import { openAssetRaster } from '../asset-source.ts'
import { createRasterReadBudget } from '../../items/search/read-limits.ts'
import { getCallerRasterJobRunner } from '../raster-pool.ts'

const percentiles = [2, 98]

export const handler = defineHandler(itemsTileStatisticsOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const { asset, style } = await resolveItemRendering(call, item, input)
  const measures = await measureRaster({
    raster: await convertRasterFailures(() => openAssetRaster(call, asset, createRasterReadBudget('measurement'))),
    target: toMeasureTarget(style),
    area: null,
    percentiles: addMedianPercentile(percentiles),
    histogram: { bins: default_histogram_bins },
    approximate_pixels: min_measured_overview_pixels,
    jobs: getCallerRasterJobRunner(call),
    signal: call.signal,
  })
  const statistics = toBandStatistics(measures.bands[0]!, percentiles)
  return { expression: input.expression, statistics, approximate: measures.approximate }
})
