import type { Tx } from '../../platform/database/database.ts'
import { releaseSpend, settleSpend } from '../billing/spend.ts'
import type { Actor } from '../events/emit.ts'
import { stepOrder, type Reason } from './moves.ts'
import { closeOrder, type CaptureRow, type OrderRow } from './store.ts'

/** The order ends with nothing delivered: everything held goes back. Null where its state no longer allows the move. */
export async function endWithoutDelivery(
  tx: Tx,
  actor: Actor,
  order: OrderRow,
  move: 'give_up' | 'fail' | 'cancel' | 'stop',
  reason: Reason | null,
): Promise<OrderRow | null> {
  const refunded = order.total_credits
  const ended = await stepOrder(tx, actor, order.id, move, { refunded, ...(reason ? { reason } : {}) })
  if (!ended) return null
  await closeOrder(tx, actor.organization, order.id, {
    captured: 0,
    refunded,
    fulfillment: 'none',
    failure: reason,
  })
  // Last, as in `spend`: who spends from the same wallet waits from here on.
  await releaseSpend(tx, actor, ended.hold_id)
  return ended
}

/** The order ends with what was delivered: that is charged, the rest of the hold goes back. */
export async function endWithDelivery(
  tx: Tx,
  actor: Actor,
  order: OrderRow,
  captures: readonly CaptureRow[],
  reason: Reason | null,
): Promise<void> {
  const delivered = captures.filter((capture) => capture.delivered_at !== null)
  const captured = delivered.reduce((sum, capture) => sum + capture.credits, 0)
  const refunded = order.total_credits - captured
  const ended = await stepOrder(tx, actor, order.id, 'finish', { captured, refunded, ...(reason ? { reason } : {}) })
  if (!ended) return
  const lines = delivered.map((capture) => capture.position)
  await closeOrder(tx, actor.organization, order.id, {
    captured,
    refunded,
    fulfillment: delivered.length === captures.length ? 'complete' : 'partial',
    failure: reason,
  })
  await settleSpend(tx, actor, ended.hold_id, captured, lines)
}
