import type { Tx } from '../../platform/database/database.ts'
import { releaseSpend, settleSpend } from '../billing/spend.ts'
import type { Actor } from '../events/emit.ts'
import { stepOrder, type Reason } from './moves.ts'
import { closeOrder, type CaptureRow, type OrderRow } from './store.ts'

/** Closes the order without delivery and releases its hold. Null if its status no longer allows the transition. */
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
  // Last, as in `withPayment`: other spenders of the same wallet are blocked from here on.
  await releaseSpend(tx, actor, ended.hold_id)
  return ended
}

/** Closes the order with what was delivered: charges that and releases the rest of the hold. */
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
