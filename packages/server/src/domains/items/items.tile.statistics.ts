import { itemsTileStatistics } from '@swath/contract/operations/items.tile.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { handler } from '../../engine/handler.ts'
import { withProblems } from '../rendering/failures.ts'
import { pictureOfItem } from '../rendering/item-picture.ts'
import { enough_pixels, measureRaster } from '../rendering/measure.ts'
import { statisticsOf, usual_bins, withMedian } from '../rendering/statistics.ts'
import { subjectOfLook } from '../rendering/subject.ts'
import { requireItem } from './access.ts'
import { rasterOf } from './asset-source.ts'
import { openBudget } from './read-limits.ts'

const percentiles = [2, 98]

export const measureItem = handler(itemsTileStatistics, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const { asset, look } = await pictureOfItem(call, item, input)
  const measures = await measureRaster({
    raster: await withProblems(() => rasterOf(call, asset, openBudget('measurement'))),
    subject: subjectOfLook(look),
    area: null,
    percentiles: withMedian(percentiles),
    histogram: { bins: usual_bins },
    approximate_pixels: enough_pixels,
    owner: ownerOf(call),
    signal: call.signal,
  })
  const statistics = statisticsOf(measures.bands[0]!, percentiles)
  return { expression: input.expression, statistics, approximate: measures.approximate }
})
