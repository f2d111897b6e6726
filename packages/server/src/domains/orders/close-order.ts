import type { Tx } from '../../platform/database/database.ts'
import { releasePaymentHold, capturePaymentHold } from '../billing/payment.ts'
import type { Actor } from '../../engine/actor.ts'
import { transitionOrder, type OrderFailure } from './order-transitions.ts'
import { updateOrderOutcome, type OrderCaptureRow, type OrderRow } from './store.ts'

/** Closes the order without delivery and releases its hold. Null if its status no longer allows the transition. */
export async function closeOrderWithoutDelivery(
  tx: Tx,
  actor: Actor,
  {
    order,
    move,
    reason,
  }: {
    readonly order: OrderRow
    readonly move: 'give_up' | 'fail' | 'end_unpriced' | 'cancel' | 'cancel_placed' | 'stop'
    readonly reason: OrderFailure | null
  },
): Promise<OrderRow | null> {
  const refunded_credits = order.total_credits
  const closed = await transitionOrder(tx, actor, {
    id: order.id,
    move,
    details: {
      refunded: refunded_credits,
      ...(reason ? { reason } : {}),
    },
  })
  if (!closed) return null
  await updateOrderOutcome(tx, actor.organization, order.id, {
    captured: 0,
    refunded: refunded_credits,
    fulfillment: 'none',
    failure: reason,
  })
  // Last, as in `runWithReservedPayment`: other spenders of the same wallet are blocked from here on.
  await releasePaymentHold(tx, actor, closed.hold_id)
  return closed
}

/**
 * Closes an order that its host has accepted and withdrawn: charges the fee and releases the rest of the hold. Null if its
 * status no longer allows the transition.
 */
export async function closeOrderWithFee(tx: Tx, actor: Actor, order: OrderRow): Promise<OrderRow | null> {
  const captured_credits = order.cancel_fee_credits
  if (captured_credits === 0)
    return closeOrderWithoutDelivery(tx, actor, { order, move: 'cancel_placed', reason: null })
  const refunded_credits = order.total_credits - captured_credits
  const details = { captured: captured_credits, refunded: refunded_credits }
  const closed = await transitionOrder(tx, actor, { id: order.id, move: 'cancel_placed', details })
  if (!closed) return null
  await updateOrderOutcome(tx, actor.organization, order.id, {
    captured: captured_credits,
    refunded: refunded_credits,
    fulfillment: 'none',
    failure: null,
  })
  await capturePaymentHold(tx, actor, { hold_id: closed.hold_id, amount_credits: captured_credits })
  return closed
}

/** Closes the order with what was delivered: charges that and releases the rest of the hold. */
export async function closeOrderWithDelivery(
  tx: Tx,
  actor: Actor,
  {
    order,
    captures,
    reason,
    missing_count = 0,
  }: {
    readonly order: OrderRow
    readonly captures: readonly OrderCaptureRow[]
    readonly reason: OrderFailure | null
    /** Ordered areas for which no scene was acquired. */
    readonly missing_count?: number
  },
): Promise<void> {
  const delivered = captures.filter((capture) => capture.delivered_at !== null)
  const captured_credits = delivered.reduce((sum, capture) => sum + capture.credits, 0)
  const refunded_credits = order.total_credits - captured_credits
  const closed = await transitionOrder(tx, actor, {
    id: order.id,
    move: 'finish',
    details: {
      captured: captured_credits,
      refunded: refunded_credits,
      ...(reason ? { reason } : {}),
    },
  })
  if (!closed) return
  const lines = delivered.map((capture) => capture.position)
  await updateOrderOutcome(tx, actor.organization, order.id, {
    captured: captured_credits,
    refunded: refunded_credits,
    fulfillment: delivered.length === captures.length + missing_count ? 'complete' : 'partial',
    failure: reason,
  })
  await capturePaymentHold(tx, actor, { hold_id: closed.hold_id, amount_credits: captured_credits, lines })
}
