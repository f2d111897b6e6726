import { itemsTileLineOperation } from '@swath/contract/operations/items.tile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveItemMeasurement } from '../measure/item-measurement.ts'
import { readLineValues } from '../measure/line.ts'
import { sampleEquidistantLinePositions } from '../measure/sample-line.ts'
import { requireItem } from '../../items/access.ts'
import { getCallerRasterJobRunner } from '../raster-pool.ts'

export const handler = defineHandler(itemsTileLineOperation, async (call, input) => {
  const item = await requireItem(call, input.item_id, 'read')
  const { length_m, positions } = sampleEquidistantLinePositions(input.coordinates, input.samples)
  const measured = await resolveItemMeasurement(call, item, input, 'measurement')
  const options = { scaled: input.scaled, jobs: getCallerRasterJobRunner(call), signal: call.signal }
  return { length_m, positions, values: await readLineValues(measured, positions, options) }
})
