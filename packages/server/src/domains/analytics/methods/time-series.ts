import { validateArea } from '../../tiles/aoi.ts'
import { getCallerRasterJobRunner } from '../../tiles/raster-pool.ts'
import { validateMeasuredValueParams, openMeasuredRaster } from '../measured-value.ts'
import { createOutcomeWithoutRaster, type RunAnalyticsMethod } from '../method.ts'
import { withComparableScale } from '../series-scale.ts'
import { listSeriesItems, measureItemSeries } from '../series-items.ts'
import { createAreaOutsideProblem, measureZoneStatistics, toZoneValues } from '../zone-statistics.ts'

const percentiles = [2, 98]

export const measureTimeSeries: RunAnalyticsMethod<'time_series'> = async (call, params) => {
  const area = validateArea(params.geometry, 'geometry')
  validateMeasuredValueParams(params)
  const items = await listSeriesItems(call, params)
  const comparable = await withComparableScale(call, items, params)
  const options = {
    percentiles,
    histogram: null,
    categories: false,
    jobs: getCallerRasterJobRunner(call),
    signal: call.signal,
  }
  const result = await measureItemSeries(items, async (item) => {
    const value = await openMeasuredRaster(call, item, comparable)
    const [measured] = await measureZoneStatistics(value, [area], { ...options, weighted: true })
    if (!measured) throw createAreaOutsideProblem()
    return toZoneValues(measured, value, percentiles)
  })
  return createOutcomeWithoutRaster(
    result,
    items.map(({ id }) => id),
  )
}
