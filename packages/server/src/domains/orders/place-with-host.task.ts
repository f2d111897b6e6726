import { createTaskActor, defineTask, type TaskContext } from '../../engine/task.ts'
import { HostRefusal, type ImageryHost } from '../../platform/integrations/imagery-host.ts'
import type { Actor } from '../../engine/actor.ts'
import { closeOrderWithoutDelivery } from './close-order.ts'
import { toOrderFailure, transitionOrder } from './order-transitions.ts'
import { findOrder, listOrderCaptures, listOrderHosts, updateOrderHostReference, type OrderRow } from './store.ts'
import { enqueueOrderWithdrawal } from './withdraw.task.ts'
import { submitHostTasks } from './tasking/submit-tasks.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

/** Places a new order with its hosts; retries failures, and closes the order after the last one or a refusal. */
export const placeOrderWithHostTask = defineTask(
  backgroundTaskTypes.placeWithHost,
  { limit: 8, delay_s: 5, backoff: true, expire_s: 300 },
  async (context, { organization_id, order_id }) => {
    const actor = createTaskActor(context, organization_id)
    const order = await startPlacement(context, actor, order_id)
    if (!order) return
    try {
      await (order.type === 'tasking' ? submitHostTasks(context, order) : submitToHosts(context, order))
    } catch (error) {
      await recordPlacementFailure(context, actor, order, error)
      return
    }
    await context.database.forOrganization(organization_id).transaction(async (tx) => {
      const placed = await transitionOrder(tx, actor, { id: order.id, move: 'accept' })
      // An order that was stopped during the requests to its hosts is withdrawn from them.
      if (!placed) return enqueueOrderWithdrawal(tx, actor, order)
      const payload = { organization_id, order_id }
      await context.queue.enqueue(tx, backgroundTaskTypes.fulfilOrder, payload, { singleton_key: order_id })
    })
  },
)

/** Moves the order to BEING_PLACED from wherever an earlier attempt left it; null if it is past that. */
async function startPlacement(context: TaskContext, actor: Actor, id: string): Promise<OrderRow | null> {
  const db = context.database.forOrganization(actor.organization)
  const order = await findOrder(db, actor.organization, id)
  if (!order) return null
  // An earlier attempt was killed; hosts accept an order id only once, so placing again is safe.
  if (order.status === 'BEING_PLACED') return order
  if (order.type === 'tasking' && order.sub_status !== 'QUOTATION_ACCEPTED') return null
  const move = order.status === 'PLACEMENT_FAILED' ? 'retry' : 'hand_over'
  return db.transaction((tx) => transitionOrder(tx, actor, { id, move }))
}

async function submitToHosts(context: TaskContext, order: OrderRow): Promise<void> {
  const db = context.database.forOrganization(order.organization_id)
  const captures = await listOrderCaptures(db, order.organization_id, order.id)
  for (const orderHost of await listOrderHosts(db, order.organization_id, order.id)) {
    if (orderHost.reference !== null) continue
    const host = requireDeliveryHost(context, orderHost.host)
    const scenes = captures.filter((capture) => capture.host === orderHost.host).map((capture) => capture.scene_id)
    const { reference } = await host.place({ id: order.id, scenes }, context.signal)
    await updateOrderHostReference(db, {
      organization: order.organization_id,
      order: order.id,
      host: orderHost.host,
      reference,
    })
  }
}

export function requireDeliveryHost(context: TaskContext, name: string): ImageryHost {
  const host = context.integrations.hosts.get(name)
  if (!host) throw new HostRefusal(`The host "${name}" is no longer served.`)
  return host
}

/** A failure keeps the order and its hold for a retry; a refusal or the last failure closes it. */
async function recordPlacementFailure(
  context: TaskContext,
  actor: Actor,
  order: OrderRow,
  error: unknown,
): Promise<void> {
  // The process is stopping or the task timed out: the next attempt continues from BEING_PLACED.
  context.signal.throwIfAborted()
  const isFinal = error instanceof HostRefusal || context.isLastAttempt
  const reason = toOrderFailure(error, 'host-failed')
  await context.database.forOrganization(actor.organization).transaction(async (tx) => {
    // Stopped while its hosts were asked: those that have accepted it are told.
    if (!(await transitionOrder(tx, actor, { id: order.id, move: 'refuse', details: { reason } })))
      return enqueueOrderWithdrawal(tx, actor, order)
    if (!isFinal) return
    await closeOrderWithoutDelivery(tx, actor, { order, move: 'give_up', reason })
    // Some of its hosts may have accepted it.
    await enqueueOrderWithdrawal(tx, actor, order)
  })
  if (!isFinal) throw error
}
