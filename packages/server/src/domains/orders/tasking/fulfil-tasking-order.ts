import { shiftTime } from '../../../platform/clock.ts'
import type { TaskContext } from '../../../engine/task.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { closeOrderWithDelivery, closeOrderWithoutDelivery } from '../close-order.ts'
import type { HostDeliveryOutcome } from '../delivery/deliver-scenes.ts'
import type { OrderFailure } from '../order-transitions.ts'
import { listOrderCaptures, updateOrderNextPollAt, type OrderCaptureRow, type OrderRow } from '../store.ts'
import { isOpenTaskingArea, pollHostTasks } from './poll-tasks.ts'
import { markTaskingOrderAreaEnded, listTaskingOrderAreas, type TaskingOrderAreaRow } from './store.order-areas.ts'

type Deliver = (
  delivery: { readonly host: string; readonly reference: string },
  captures: readonly OrderCaptureRow[],
) => Promise<HostDeliveryOutcome>

const min_poll_ms = 1000
const max_poll_ms = 6 * 3_600_000

/**
 * Follows the tasks of an order: records the stages that their hosts report, imports ready deliveries, and closes the
 * order when no more are expected. Failures of a delivery are retried; the failure of one area leaves the others.
 */
export async function fulfilTaskingOrder(
  context: TaskContext,
  actor: Actor,
  order: OrderRow,
  deliver: Deliver,
): Promise<void> {
  const db = context.database.forOrganization(order.organization_id)
  const next_ms = await pollHostTasks(context, actor, order)
  await deliverReadyTasks(context, actor, order, deliver)
  const groups = await listTaskingOrderAreas(db, order.organization_id, [order.id])
  if (groups.some(isOpenTaskingArea)) {
    const at = shiftTime(actor.clock.now(), Math.min(Math.max(next_ms, min_poll_ms), max_poll_ms))
    return updateOrderNextPollAt(db, order.organization_id, order.id, at)
  }
  await db.transaction((tx) => closeTaskingOrder(tx, actor, order))
}

/** Imports the scene of each task that is ready. */
async function deliverReadyTasks(context: TaskContext, actor: Actor, order: OrderRow, deliver: Deliver): Promise<void> {
  const { organization_id: organization } = order
  const db = context.database.forOrganization(organization)
  const captures = await listOrderCaptures(db, organization, order.id)
  let retryable: OrderFailure | null = null
  for (const group of await listTaskingOrderAreas(db, organization, [order.id])) {
    const acquired = captures.filter(({ position }) => position === group.position)
    if (!isOpenTaskingArea(group) || acquired.length === 0) continue
    const outcome = await deliver({ host: group.host, reference: group.reference ?? '' }, acquired)
    if (outcome !== 'done' && 'ready_at' in outcome) continue
    if (outcome !== 'done' && outcome.code === 'delivery-failed' && !context.isLastAttempt) {
      retryable ??= outcome
      continue
    }
    const failure = outcome === 'done' ? null : outcome
    await db.transaction((tx) =>
      markTaskingOrderAreaEnded(tx, organization, group.id, { failure, now: actor.clock.now() }),
    )
  }
  if (retryable) throw new Error(retryable.text)
}

/** Closes an order of which no more deliveries are expected, with those that were made. */
export async function closeTaskingOrder(tx: Tx, actor: Actor, order: OrderRow): Promise<void> {
  const captures = await listOrderCaptures(tx, actor.organization, order.id)
  const groups = await listTaskingOrderAreas(tx, actor.organization, [order.id])
  const reason = toOrderReason(groups)
  if (captures.some(({ delivered_at }) => delivered_at !== null)) {
    const missing_count = groups.length - captures.length
    return closeOrderWithDelivery(tx, actor, { order, captures, reason, missing_count })
  }
  const failure = reason ?? { code: 'delivery-failed', text: 'Nothing was delivered.' }
  await closeOrderWithoutDelivery(tx, actor, { order, move: 'fail', reason: failure })
}

/** The failure of the first area that failed. */
function toOrderReason(groups: readonly TaskingOrderAreaRow[]): OrderFailure | null {
  const failed = groups.find(({ failure_code }) => failure_code !== null)
  return failed ? { code: failed.failure_code!, text: failed.failure_text ?? '' } : null
}
