import { ordersCancelOperation } from '@swath/contract/operations/orders.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { requireWithinMaxCredits } from '../../billing/max-credits.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { requireOrder } from '../access.ts'
import { describeCancellationTerms } from '../cancel-policy.ts'
import { closeOrderWithFee, closeOrderWithoutDelivery } from '../close-order.ts'
import type { OrderRow } from '../store.ts'
import { withdrawTaskingDecisions, withdrawHostTasks } from '../tasking/withdraw-tasks.ts'
import { enqueueOrderWithdrawal } from '../withdraw.task.ts'
import { withdrawOrderFromHosts } from '../withdraw-from-hosts.ts'

export const handler = defineHandler(ordersCancelOperation, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'write')
  if (call.claim?.recoveryData['order_id'] === order.id) return { orderId: order.id, status: order.status }
  const { is_cancellable, fee_credits } = describeCancellationTerms(order, call.clock.now())
  if (is_cancellable) requireWithinMaxCredits(fee_credits, input.max_credits)
  const close = order.status === 'PLACED' && is_cancellable ? closePlaced : closeUnplaced
  if (input.dry_run) return executeDryRun(call, (dryRun) => cancel(dryRun, order, close))
  if (close === closePlaced)
    await (order.type === 'tasking' ? withdrawHostTasks(call, order) : withdrawOrderFromHosts(call, order))
  return cancel(call, order, close)
})

type Close = (tx: Tx, call: Call, order: OrderRow) => Promise<OrderRow | null>

/** An order that its host has accepted: the fee of its policy is charged. */
const closePlaced: Close = (tx, call, order) => closeOrderWithFee(tx, call, order)

const closeUnplaced: Close = async (tx, call, order) => {
  // A price may have been accepted since the order was read.
  const current = order.type === 'tasking' ? await withdrawTaskingDecisions(tx, call, order) : order
  const closed = await closeOrderWithoutDelivery(tx, call, { order: current, move: 'cancel', reason: null })
  // Some of the hosts of an order whose placement failed may have accepted it.
  if (closed && order.status === 'PLACEMENT_FAILED') await enqueueOrderWithdrawal(tx, call, closed)
  return closed
}

async function cancel(call: Call, order: OrderRow, close: Close) {
  const canceled = await call.transaction(async (tx) => {
    const row = await close(tx, call, order)
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
