import { ordersCoverageGetOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOrder } from '../access.ts'
import { measureOrderedAreas, toOrderedArea } from '../coverage.ts'
import { listOrderCaptures } from '../store.ts'
import { listTaskingOrderAreas } from '../tasking/store.order-areas.ts'

export const handler = defineHandler(ordersCoverageGetOperation, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'read')
  const captures = await listOrderCaptures(call.db, call.organization, order.id)
  // An area to acquire has no capture yet, and a pass may reach only a part of it.
  const groups = order.type === 'tasking' ? await listTaskingOrderAreas(call.db, call.organization, [order.id]) : []
  const areas = groups.map(({ geometry }) => ({ area: geometry, footprint: geometry, isDelivered: false }))
  const [coverage] = await measureOrderedAreas(call, [[...captures.map(toOrderedArea), ...areas]])
  return { order_id: order.id, ...coverage! }
})
