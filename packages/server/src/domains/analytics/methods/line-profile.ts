import { requireItem } from '../../items/access.ts'
import { readLineValues } from '../../tiles/measure/line.ts'
import { getCallerRasterJobRunner } from '../../tiles/raster-pool.ts'
import { sampleEquidistantLinePositions } from '../../tiles/measure/sample-line.ts'
import { openMeasuredRaster } from '../measured-value.ts'
import { createOutcomeWithoutRaster, type RunAnalyticsMethod } from '../method.ts'

export const readLineProfile: RunAnalyticsMethod<'line_profile'> = async (call, params) => {
  const item = await requireItem(call, params.item_id, 'read')
  const { length_m, positions } = sampleEquidistantLinePositions(params.coordinates, params.samples)
  const value = await openMeasuredRaster(call, item, params)
  const options = { scaled: value.scaled, jobs: getCallerRasterJobRunner(call), signal: call.signal }
  const values = (await readLineValues(value, positions, options)).map(({ name, band_name, values: read }) => ({
    name,
    band_name,
    values: read,
  }))
  return createOutcomeWithoutRaster({ item_id: item.id, length_m, positions, values }, [item.id])
}
