import { itemsTilePointOperation } from '@swath/contract/operations/items.tile.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveItemMeasurement } from '../measure/item-measurement.ts'
import { readPointValues } from '../measure/point.ts'
import { requireItem } from '../../items/access.ts'
import { getCallerRasterJobRunner } from '../raster-pool.ts'

export const handler = defineHandler(itemsTilePointOperation, async (call, input) => {
  const { lon, lat, scaled } = input
  const item = await requireItem(call, input.item_id, 'read')
  const measured = await resolveItemMeasurement(call, item, input, 'tile')
  return {
    lon,
    lat,
    values: await readPointValues(measured, {
      lon,
      lat,
      scaled,
      jobs: getCallerRasterJobRunner(call),
      signal: call.signal,
    }),
  }
})
