import { requireItem } from '../../items/access.ts'
import { validateArea } from '../../tiles/aoi.ts'
import { measureRaster } from '../../tiles/measure/measure.ts'
import { listMeasuredValueNames } from '../../tiles/measure/measure-target.ts'
import { getCallerRasterJobRunner } from '../../tiles/raster-pool.ts'
import { openMeasuredRaster } from '../measured-value.ts'
import { createOutcomeWithoutRaster, type RunAnalyticsMethod } from '../method.ts'
import { finiteOrNull } from '../zone-statistics.ts'
import { toHistogramRange } from './zonal-stats.ts'

export const computeHistogram: RunAnalyticsMethod<'histogram'> = async (call, params) => {
  const area = params.geometry ? validateArea(params.geometry, 'geometry') : null
  const item = await requireItem(call, params.item_id, 'read')
  const { raster, bands, target, scaled } = await openMeasuredRaster(call, item, params)
  const measured = await measureRaster({
    raster,
    target,
    scaled,
    area,
    percentiles: [],
    histogram: { bins: params.bins, ...toHistogramRange(params.range) },
    jobs: getCallerRasterJobRunner(call),
    signal: call.signal,
  })
  const histograms = listMeasuredValueNames(target, bands).map((name, at) => {
    const { count, minimum, maximum, histogram } = measured.bands[at]!
    return {
      ...name,
      count,
      min: finiteOrNull(minimum),
      max: finiteOrNull(maximum),
      counts: [...(histogram?.counts ?? [])],
      edges: [...(histogram?.edges ?? [])],
    }
  })
  return createOutcomeWithoutRaster({ item_id: item.id, approximate: measured.approximate, histograms }, [item.id])
}
