import { ordersCancelOperation } from '@swath/contract/operations/orders.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { requireOrder } from '../access.ts'
import { closeWithoutDelivery } from '../close-order.ts'
import type { OrderRow } from '../store.ts'

export const cancelOrder = defineHandler(ordersCancelOperation, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'write')
  if (input.dry_run) return executeDryRun(call, (dryRun) => cancel(dryRun, order))
  if (call.claim?.recoveryData['order_id'] === order.id) return { orderId: order.id, status: order.status }
  return cancel(call, order)
})

/** An archive order costs nothing until it is delivered, so that cancelling it has no fee. */
async function cancel(call: Call, order: OrderRow) {
  const canceled = await call.transaction(async (tx) => {
    const row = await closeWithoutDelivery(tx, call, { order, move: 'cancel', reason: null })
    if (!row) return null
    await call.claim?.checkpoint(tx, 'reserved', { order_id: row.id })
    return row
  })
  if (!canceled) {
    const current = await requireOrder(call, order.id, 'write')
    throw new Problem('invalid-state', `The order is ${current.status} and cannot be cancelled.`)
  }
  return { orderId: canceled.id, status: canceled.status }
}
