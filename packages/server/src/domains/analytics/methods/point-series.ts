import { getCallerRasterJobRunner } from '../../tiles/raster-pool.ts'
import { readLineValues } from '../../tiles/measure/line.ts'
import { validateMeasuredValueParams, openMeasuredRaster } from '../measured-value.ts'
import { createOutcomeWithoutRaster, type RunAnalyticsMethod } from '../method.ts'
import { withComparableScale } from '../series-scale.ts'
import { listSeriesItems, measureItemSeries } from '../series-items.ts'

export const readPointSeries: RunAnalyticsMethod<'point_series'> = async (call, params) => {
  validateMeasuredValueParams(params)
  const items = await listSeriesItems(call, params)
  const comparable = await withComparableScale(call, items, params)
  const positions = params.points.map((point) => ({ ...point, distance_m: 0 }))
  const result = await measureItemSeries(items, async (item) => {
    const value = await openMeasuredRaster(call, item, comparable)
    const options = { scaled: value.scaled, jobs: getCallerRasterJobRunner(call), signal: call.signal }
    const values = await readLineValues(value, positions, options)
    return { values: values.map(({ name, band_name, values: read }) => ({ name, band_name, values: read })) }
  })
  return createOutcomeWithoutRaster(
    result,
    items.map(({ id }) => id),
  )
}
