import { orderLifecycle } from '@swath/contract/lifecycles.ts'
import type { Actor } from '../../engine/actor.ts'
import { defineTask, createTaskActor, type TaskContext } from '../../engine/task.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import type { Tx } from '../../platform/database/database.ts'
import { HostRefusal } from '../../platform/integrations/imagery-host.ts'
import { readTaskingHostEnvironment } from '../../platform/sandbox/host-environment.ts'
import { findOrder, listOrderHosts, type OrderRow } from './store.ts'
import {
  markTaskingOrderAreaEnded,
  listTaskingOrderAreas,
  type TaskingOrderAreaRow,
} from './tasking/store.order-areas.ts'
import { isOpenTaskingArea } from './tasking/poll-tasks.ts'
import { requireTaskingHost } from './tasking/require-tasking-host.ts'

/** Enqueues the withdrawal of an order that is closed while its hosts may still work for it. */
export const enqueueOrderWithdrawal = (
  tx: Tx,
  { queue, organization: organization_id }: Actor,
  { id: order_id }: Pick<OrderRow, 'id'>,
): Promise<void> =>
  queue.enqueue(tx, backgroundTaskTypes.withdrawOrder, { organization_id, order_id }, { singleton_key: order_id })

/**
 * Asks the hosts of a closed order to stop working for it; an order that is open keeps them. A host that refuses is too
 * late or has finished: its later deliveries belong to nobody and are not imported.
 */
export const withdrawOrderTask = defineTask(
  backgroundTaskTypes.withdrawOrder,
  { limit: 8, delay_s: 5, backoff: true, expire_s: 300 },
  async (context, { organization_id, order_id }) => {
    const order = await findOrder(context.database.forOrganization(organization_id), organization_id, order_id)
    if (!order || !orderLifecycle.terminal.includes(order.status)) return
    await (order.type === 'tasking' ? cancelTasks(context, order) : cancelDeliveries(context, order))
  },
)

const stopped = { code: 'order-closed', text: 'The order was closed before the acquisition.' }

/** A host may have accepted a task after the order was closed and its areas were ended. */
const mayBeWorkedOn = (group: TaskingOrderAreaRow): boolean =>
  isOpenTaskingArea(group) || group.failure_code === stopped.code

async function cancelTasks(context: TaskContext, { organization_id, id }: OrderRow): Promise<void> {
  const db = context.database.forOrganization(organization_id)
  const { clock } = createTaskActor(context, organization_id)
  for (const group of (await listTaskingOrderAreas(db, organization_id, [id])).filter(mayBeWorkedOn)) {
    if (group.reference !== null) {
      const { tasking } = requireTaskingHost(context.integrations, group.host)
      const world = await readTaskingHostEnvironment(db, clock)
      await unlessRefused(context, group.host, tasking.cancelTask(world, group.reference, context.signal))
    }
    if (!isOpenTaskingArea(group)) continue
    await db.transaction((tx) =>
      markTaskingOrderAreaEnded(tx, organization_id, group.id, { failure: stopped, now: clock.now() }),
    )
  }
}

async function cancelDeliveries(context: TaskContext, { organization_id, id }: OrderRow): Promise<void> {
  const db = context.database.forOrganization(organization_id)
  for (const { host: name, reference } of await listOrderHosts(db, organization_id, id)) {
    const host = context.integrations.hosts.get(name)
    if (reference !== null && host?.cancel) await unlessRefused(context, name, host.cancel(reference, context.signal))
  }
}

async function unlessRefused({ log }: TaskContext, host: string, request: Promise<void>): Promise<void> {
  try {
    await request
  } catch (error) {
    if (!(error instanceof HostRefusal)) throw error
    log.info({ host, reason: error.message }, 'a host did not withdraw a closed order')
  }
}
