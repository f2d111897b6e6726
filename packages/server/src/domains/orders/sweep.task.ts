import { defineSweep, type DueWork } from '../../engine/task.ts'
import { findNextOrderPoll, listDueOrders } from './store.lists.ts'
import { taskTypes } from '../../engine/task-types.ts'

const stalled_ms = 10 * 60_000

/** Enqueues the task of each due order; the singleton key prevents a second one while one waits or runs. */
export const dueOrders: DueWork = {
  name: 'orders',
  nextDue: ({ database }, organization, after) =>
    findNextOrderPoll(database.forOrganization(organization), organization, after),
  runDue: async ({ database, queue }, times) => {
    for (const { organization_id, id, status } of await listDueOrders(database.unscoped, times, stalled_ms)) {
      const name = status === 'PLACED' || status === 'BEING_FULFILLED' ? taskTypes.fulfilOrder : taskTypes.placeWithHost
      await database
        .forOrganization(organization_id)
        .transaction((tx) => queue.enqueue(tx, name, { organization_id, order_id: id }, { singleton_key: id }))
    }
  },
}

export const sweepOrders = defineSweep(
  taskTypes.sweepOrders,
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  dueOrders,
)
