import Type from 'typebox'
import { task } from '../../engine/task.ts'
import { fulfilOrderTask } from './fulfilment.ts'
import { placeWithHost } from './place.ts'
import { listDue } from './store.lists.ts'

const stalled_ms = 10 * 60_000

/** Enqueues the task of each due order; the singleton key prevents a second one while one waits or runs. */
export const sweepOrders = task(
  'orders.sweep',
  Type.Object({}),
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  async (job) => {
    for (const { organization_id, id, status } of await listDue(job.database.across, job.clock.times(), stalled_ms)) {
      const name = status === 'PLACED' || status === 'BEING_FULFILLED' ? fulfilOrderTask : placeWithHost
      await job.database
        .of(organization_id)
        .transaction((tx) => job.queue.enqueue(tx, name, { organization_id, order_id: id }, { singleton_key: id }))
    }
  },
)
