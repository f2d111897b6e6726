import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import { isReleasedHold } from '../billing/payment.ts'
import { closeOrderWithDelivery, closeOrderWithoutDelivery } from './close-order.ts'
import type { OrderFailure } from './order-transitions.ts'
import { listOpenOrderIds } from './store.lists.ts'
import { findOrder, listOrderCaptures } from './store.ts'
import { withdrawTaskingDecisions } from './tasking/withdraw-tasks.ts'
import { enqueueOrderWithdrawal } from './withdraw.task.ts'

/**
 * Stops an order: delivered captures are charged while its hold lasts, and the rest is not delivered; its hosts are
 * requested to stop working on it.
 */
export async function stopOrderNow(tx: Tx, actor: Actor, id: string, reason: OrderFailure): Promise<void> {
  const found = await findOrder(tx, actor.organization, id)
  if (!found) return
  // A decision that stays open could be accepted, and would hold credits for a closed order.
  const order = found.type === 'tasking' ? await withdrawTaskingDecisions(tx, actor, found) : found
  const captures = await listOrderCaptures(tx, actor.organization, id)
  const isHoldLost = order.hold_id !== null && (await isReleasedHold(tx, actor.organization, order.hold_id))
  const hasDelivered = captures.some((capture) => capture.delivered_at !== null)
  if (hasDelivered && !isHoldLost) await closeOrderWithDelivery(tx, actor, { order, captures, reason })
  else await closeOrderWithoutDelivery(tx, actor, { order, move: 'stop', reason })
  await enqueueOrderWithdrawal(tx, actor, order)
}

/** Stops every open order of the organization; returns their number. */
export async function stopOpenOrders(tx: Tx, actor: Actor, reason: OrderFailure): Promise<number> {
  const ids = await listOpenOrderIds(tx, actor.organization)
  for (const id of ids) await stopOrderNow(tx, actor, id, reason)
  return ids.length
}
