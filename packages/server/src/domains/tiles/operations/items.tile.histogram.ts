import { itemsTileHistogramOperation } from '@swath/contract/operations/items.tile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { resolveItemMeasurement } from '../measure/item-measurement.ts'
import { min_measured_overview_pixels, measureRaster } from '../measure/measure.ts'
import { listMeasuredValueNames } from '../measure/measure-target.ts'
import { requireItem } from '../../items/access.ts'
import { getCallerRasterJobRunner } from '../raster-pool.ts'

export const handler = defineHandler(itemsTileHistogramOperation, async (call, input) => {
  const [min_value, max_value] = input.range ?? [0, 1]
  if (!(min_value! < max_value!)) throw validationProblem([{ path: 'range', message: 'must be ascending' }])
  if (!Number.isFinite(max_value! - min_value!))
    throw validationProblem([{ path: 'range', message: 'must be narrower' }])
  const item = await requireItem(call, input.item_id, 'read')
  const { raster, bands, target } = await resolveItemMeasurement(call, item, input, 'measurement')
  const measures = await measureRaster({
    raster,
    target,
    area: null,
    percentiles: [],
    histogram: { bins: input.bins, range: input.range === undefined ? undefined : [min_value!, max_value!] },
    approximate_pixels: min_measured_overview_pixels,
    jobs: getCallerRasterJobRunner(call),
    signal: call.signal,
  })
  const histograms = listMeasuredValueNames(target, bands).map((name, index) => {
    const { counts, edges } = measures.bands[index]!.histogram!
    return { ...name, counts: [...counts], edges: [...edges] }
  })
  return { histograms, approximate: measures.approximate }
})
