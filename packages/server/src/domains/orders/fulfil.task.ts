import { createTaskActor, defineTask, type TaskContext } from '../../engine/task.ts'
import { monotonic_ms, shiftTime } from '../../platform/clock.ts'
import type { ItemMetadataWriter } from '../items/metadata-limit.ts'
import { closeOrderWithDelivery, closeOrderWithoutDelivery } from './close-order.ts'
import {
  deliverScenes,
  type HostDeliveryOutcome,
  type PendingSceneDelivery,
  type FulfilmentAttempt,
} from './delivery/deliver-scenes.ts'
import { toOrderFailure, type OrderFailure } from './order-transitions.ts'
import { requireDeliveryHost } from './place-with-host.task.ts'
import {
  findOrder,
  listOrderCaptures,
  listOrderHosts,
  updateOrderNextPollAt,
  type OrderCaptureRow,
  type OrderRow,
} from './store.ts'
import { fulfilTaskingOrder } from './tasking/fulfil-tasking-order.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

/** No further scene is started after this; together with the last scene this is less than the task timeout. */
const max_attempt_ms = 900_000
/** A host that has not delivered by then has failed. */
const host_timeout_ms = 24 * 3_600_000

/**
 * Imports everything that the hosts of an order deliver. While a host is still working, the order is scheduled for another
 * poll (`orders.sweep`); failures are retried.
 */
export const fulfilOrderTask = defineTask(
  backgroundTaskTypes.fulfilOrder,
  { limit: 5, delay_s: 5, backoff: true, expire_s: 1800 },
  async (context, { organization_id, order_id }) => {
    const actor = createTaskActor(context, organization_id)
    const db = context.database.forOrganization(organization_id)
    const order = await findOrder(db, organization_id, order_id)
    if (!order || (order.status !== 'PLACED' && order.status !== 'BEING_FULFILLED')) return
    const deadline_ms = monotonic_ms() + max_attempt_ms
    if (order.type === 'tasking')
      return fulfilTaskingOrder(context, actor, order, (group, captures) =>
        deliverFromHost({ context, actor, order, deadline_ms }, group, captures),
      )
    const captures = await listOrderCaptures(db, organization_id, order_id)
    const failures: OrderFailure[] = []
    const waits: PendingSceneDelivery[] = []
    for (const orderHost of await listOrderHosts(db, organization_id, order_id)) {
      const outcome = await deliverFromHost(
        { context, actor, order, deadline_ms },
        { host: orderHost.host, reference: orderHost.reference ?? '' },
        captures.filter(({ host }) => host === orderHost.host),
      )
      if (outcome === 'done') continue
      if ('ready_at' in outcome) waits.push(outcome)
      else failures.push(outcome)
    }
    const isOverdue = actor.clock.now().getTime() - order.created_at.getTime() > host_timeout_ms
    if (waits.length > 0 && !isOverdue) return scheduleNextPoll(context, order, waits)
    if (waits.length > 0) failures.push({ code: 'host-timeout', text: 'The host did not deliver in time.' })
    // A failure that a retry may fix is thrown; after the last attempt, or for any other failure, the order is closed.
    const retryableFailure = failures.find((failure) => failure.code === 'delivery-failed')
    if (retryableFailure && !context.isLastAttempt) throw new Error(retryableFailure.text)
    await completeOrder(context, actor, order, failures[0] ?? null)
  },
)

/** Delivers the captures of one delivery that were not delivered before. */
async function deliverFromHost(
  attempt: FulfilmentAttempt,
  { host, reference }: { readonly host: string; readonly reference: string },
  captures: readonly OrderCaptureRow[],
): Promise<HostDeliveryOutcome> {
  const { context } = attempt
  const undelivered = captures.filter((capture) => capture.delivered_at === null)
  if (undelivered.length === 0) return 'done'
  try {
    const delivery = await requireDeliveryHost(context, host).deliveries(reference, context.signal)
    if (delivery.state === 'waiting') return { ready_at: delivery.ready_at ?? null }
    if (delivery.state === 'refused') return { code: 'host-refused', text: delivery.reason }
    return await deliverScenes(attempt, undelivered, delivery.files)
  } catch (error) {
    context.signal.throwIfAborted()
    return toOrderFailure(error, 'delivery-failed')
  }
}

/** Schedules the next poll of hosts that are still working: when they say, or with growing intervals. */
async function scheduleNextPoll(
  context: TaskContext,
  order: OrderRow,
  waits: readonly PendingSceneDelivery[],
): Promise<void> {
  const now = context.clock.forOrganization(order.organization_id).now()
  const interval_ms = Math.min(Math.max((now.getTime() - order.updated_at.getTime()) / 4, 1000), 300_000)
  const overdue_ms = order.created_at.getTime() + host_timeout_ms + 1000 - now.getTime()
  const delays_ms = waits.map(({ ready_at }) => (ready_at ? ready_at.getTime() - now.getTime() : interval_ms))
  await updateOrderNextPollAt(
    context.database.forOrganization(order.organization_id),
    order.organization_id,
    order.id,
    shiftTime(now, Math.max(Math.min(...delays_ms, overdue_ms), 1000)),
  )
}

async function completeOrder(
  context: TaskContext,
  actor: ItemMetadataWriter,
  order: OrderRow,
  failure: OrderFailure | null,
): Promise<void> {
  await context.database.forOrganization(actor.organization).transaction(async (tx) => {
    const captures = await listOrderCaptures(tx, actor.organization, order.id)
    if (captures.some((capture) => capture.delivered_at !== null)) {
      await closeOrderWithDelivery(tx, actor, { order, captures, reason: failure })
    } else {
      await closeOrderWithoutDelivery(tx, actor, {
        order,
        move: 'fail',
        reason: failure ?? { code: 'delivery-failed', text: 'Nothing was delivered.' },
      })
    }
  })
}
