import { ordersCoverageGetOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOrder } from '../access.ts'
import { measureCaptures } from '../coverage.ts'
import { listOrderCaptures } from '../store.ts'

export const getOrderCoverage = defineHandler(ordersCoverageGetOperation, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'read')
  const captures = await listOrderCaptures(call.db, call.organization, order.id)
  const [coverage] = await measureCaptures(call, [captures])
  return { order_id: order.id, ...coverage! }
})
