import Type from 'typebox'
import { defineTask } from '../../engine/task.ts'
import { fulfilOrderTaskName } from './fetch-scene.ts'
import { placeWithHostTaskName } from './place-archive-order.ts'
import { listDueOrders } from './store.lists.ts'

const stalled_ms = 10 * 60_000

/** Enqueues the task of each due order; the singleton key prevents a second one while one waits or runs. */
export const sweepOrders = defineTask(
  'orders.sweep',
  Type.Object({}),
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  async (context) => {
    for (const { organization_id, id, status } of await listDueOrders(
      context.database.unscoped,
      context.clock.times(),
      stalled_ms,
    )) {
      const name = status === 'PLACED' || status === 'BEING_FULFILLED' ? fulfilOrderTaskName : placeWithHostTaskName
      await context.database
        .forOrganization(organization_id)
        .transaction((tx) => context.queue.enqueue(tx, name, { organization_id, order_id: id }, { singleton_key: id }))
    }
  },
)
