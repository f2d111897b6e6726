import { rasterJobsOf } from '../../tiles/raster-pool.ts'
import { readLineValues } from '../../tiles/measure/line.ts'
import { checkMeasuredValue, openMeasuredValue } from '../measured-value.ts'
import { found, type RunMethod } from '../method.ts'
import { listSeriesItems, measureSeries } from '../series-items.ts'

export const readPointSeries: RunMethod<'point_series'> = async (call, params) => {
  checkMeasuredValue(params)
  const items = await listSeriesItems(call, params)
  const positions = params.points.map((point) => ({ ...point, distance_m: 0 }))
  const result = await measureSeries(items, async (item) => {
    const value = await openMeasuredValue(call, item, params)
    const options = { scaled: value.scaled, jobs: rasterJobsOf(call), signal: call.signal }
    const values = await readLineValues(value, positions, options)
    return { values: values.map(({ name, band_name, values: read }) => ({ name, band_name, values: read })) }
  })
  return found(
    result,
    items.map(({ id }) => id),
  )
}
