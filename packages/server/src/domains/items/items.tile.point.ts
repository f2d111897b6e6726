import { itemsTilePoint } from '@swath/contract/operations/items.tile.reads.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { handler } from '../../engine/handler.ts'
import { measuredItem } from '../rendering/item-subject.ts'
import { valuesAt } from '../rendering/point.ts'
import { requireItem } from './access.ts'

export const readItemPoint = handler(itemsTilePoint, async (call, input) => {
  const { lon, lat, scaled } = input
  const item = await requireItem(call, input.item_id, 'read')
  const measured = await measuredItem(call, item, input, 'tile')
  return { lon, lat, values: await valuesAt(measured, { lon, lat, scaled, owner: ownerOf(call), signal: call.signal }) }
})
