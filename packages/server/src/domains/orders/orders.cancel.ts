import { ordersCancel } from '@swath/contract/operations/orders.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { releaseSpend } from '../billing/spend.ts'
import { requireOrder } from './access.ts'
import { stepOrder } from './moves.ts'
import { closeOrder } from './store.ts'

export const cancelOrder = handler(ordersCancel, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'write')
  if (call.claim?.data['order_id'] === order.id) return { orderId: order.id, status: order.status }
  const canceled = await call.transaction(async (tx) => {
    const row = await stepOrder(tx, call, order.id, 'cancel', { refunded: order.total_credits })
    if (!row) return null
    await releaseSpend(tx, call, row.hold_id)
    await closeOrder(tx, call.organization, row.id, {
      captured: 0,
      refunded: row.total_credits,
      fulfillment: 'none',
      failure: null,
    })
    await call.claim?.reach(tx, 'reserved', { order_id: row.id })
    return row
  })
  if (!canceled) {
    const now = await requireOrder(call, order.id, 'write')
    throw new Problem('invalid-state', `The order is ${now.status} and cannot be cancelled.`)
  }
  return { orderId: canceled.id, status: canceled.status }
})
