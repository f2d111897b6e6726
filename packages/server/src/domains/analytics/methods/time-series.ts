import { validationProblem } from '../../../engine/problem.ts'
import { validateArea } from '../../tiles/aoi.ts'
import { rasterJobsOf } from '../../tiles/raster-pool.ts'
import { checkMeasuredValue, openMeasuredValue } from '../measured-value.ts'
import { found, type RunMethod } from '../method.ts'
import { listSeriesItems, measureSeries } from '../series-items.ts'
import { measureZones, toZoneValues } from '../zone-statistics.ts'

const percentiles = [2, 98]

export const measureTimeSeries: RunMethod<'time_series'> = async (call, params) => {
  const area = validateArea(params.geometry, 'geometry')
  checkMeasuredValue(params)
  const items = await listSeriesItems(call, params)
  const options = { percentiles, histogram: null, categories: false, jobs: rasterJobsOf(call), signal: call.signal }
  const result = await measureSeries(items, async (item) => {
    const value = await openMeasuredValue(call, item, params)
    const [measured] = await measureZones(value, [area], { ...options, weighted: true })
    if (!measured) throw validationProblem([{ path: 'geometry', message: 'the area does not reach the image' }])
    return toZoneValues(measured, value, percentiles)
  })
  return found(
    result,
    items.map(({ id }) => id),
  )
}
