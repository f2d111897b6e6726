import { requireItem } from '../../items/access.ts'
import { validateArea } from '../../tiles/aoi.ts'
import { measureRaster } from '../../tiles/measure/measure.ts'
import { listValueNames } from '../../tiles/measure/measure-target.ts'
import { rasterJobsOf } from '../../tiles/raster-pool.ts'
import { openMeasuredValue } from '../measured-value.ts'
import { found, type RunMethod } from '../method.ts'
import { finiteOrNull } from '../zone-statistics.ts'
import { toRange } from './zonal-stats.ts'

export const computeHistogram: RunMethod<'histogram'> = async (call, params) => {
  const area = params.geometry ? validateArea(params.geometry, 'geometry') : null
  const item = await requireItem(call, params.item_id, 'read')
  const { raster, bands, target, scaled } = await openMeasuredValue(call, item, params)
  const measured = await measureRaster({
    raster,
    target,
    scaled,
    area,
    percentiles: [],
    histogram: { bins: params.bins, ...toRange(params.range) },
    jobs: rasterJobsOf(call),
    signal: call.signal,
  })
  const histograms = listValueNames(target, bands).map((name, at) => {
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
  return found({ item_id: item.id, approximate: measured.approximate, histograms }, [item.id])
}
