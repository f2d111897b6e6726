import { defineTask, type TaskContext } from '../../engine/task.ts'
import { listEveryOrganizationId } from '../organizations/all-organizations.ts'
import { listDueOrders } from './store.lists.ts'
import { listDueDecisions } from './tasking/store.decisions.ts'
import { taskTypes } from '../../engine/task-types.ts'

const stalled_ms = 10 * 60_000

/** Enqueues the task of each due order; the singleton key prevents a second one while one waits or runs. */
export const sweepOrders = defineTask(
  taskTypes.sweepOrders,
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  async (context) => {
    for (const { organization_id, id, status, sub_status } of await listDueOrders(
      context.database.unscoped,
      context.clock.times(),
      stalled_ms,
    )) {
      const name = findOrderTask(status, sub_status)
      await context.database
        .forOrganization(organization_id)
        .transaction((tx) => context.queue.enqueue(tx, name, { organization_id, order_id: id }, { singleton_key: id }))
    }
    await sweepDecisions(context)
  },
)

/** Enqueues the task of each order with a decision whose time is over. */
async function sweepDecisions({ database, clock, queue, signal }: TaskContext): Promise<void> {
  for (const organization_id of await listEveryOrganizationId(database.unscoped)) {
    signal.throwIfAborted()
    const db = database.forOrganization(organization_id)
    const now = clock.forOrganization(organization_id).now()
    for (const order_id of await listDueDecisions(db, organization_id, now)) {
      const data = { organization_id, order_id }
      await db.transaction((tx) => queue.enqueue(tx, taskTypes.expireDecisions, data, { singleton_key: order_id }))
    }
  }
}

function findOrderTask(status: string, sub_status: string | null) {
  if (status === 'PLACED' || status === 'BEING_FULFILLED') return taskTypes.fulfilOrder
  return sub_status === 'FEASIBILITY_WAITING_UPLOAD' ? taskTypes.requestStudy : taskTypes.placeWithHost
}
