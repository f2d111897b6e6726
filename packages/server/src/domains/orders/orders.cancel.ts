import { ordersCancel } from '@swath/contract/operations/orders.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { requireOrder } from './access.ts'
import { endWithoutDelivery } from './end.ts'

export const cancelOrder = handler(ordersCancel, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'write')
  if (call.claim?.data['order_id'] === order.id) return { orderId: order.id, status: order.status }
  const canceled = await call.transaction(async (tx) => {
    const row = await endWithoutDelivery(tx, call, order, 'cancel', null)
    if (!row) return null
    await call.claim?.reach(tx, 'reserved', { order_id: row.id })
    return row
  })
  if (!canceled) {
    const now = await requireOrder(call, order.id, 'write')
    throw new Problem('invalid-state', `The order is ${now.status} and cannot be cancelled.`)
  }
  return { orderId: canceled.id, status: canceled.status }
})
