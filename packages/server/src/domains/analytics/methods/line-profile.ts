import { requireItem } from '../../items/access.ts'
import { readLineValues } from '../../tiles/measure/line.ts'
import { rasterJobsOf } from '../../tiles/raster-pool.ts'
import { sampleLine } from '../../tiles/measure/sample-line.ts'
import { openMeasuredValue } from '../measured-value.ts'
import { found, type RunMethod } from '../method.ts'

export const readLineProfile: RunMethod<'line_profile'> = async (call, params) => {
  const item = await requireItem(call, params.item_id, 'read')
  const { length_m, positions } = sampleLine(params.coordinates, params.samples)
  const value = await openMeasuredValue(call, item, params)
  const options = { scaled: value.scaled, jobs: rasterJobsOf(call), signal: call.signal }
  const values = (await readLineValues(value, positions, options)).map(({ name, band_name, values: read }) => ({
    name,
    band_name,
    values: read,
  }))
  return found({ item_id: item.id, length_m, positions, values }, [item.id])
}
