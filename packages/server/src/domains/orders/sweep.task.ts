import Type from 'typebox'
import { task } from '../../engine/task.ts'
import { fulfilOrderTask } from './fulfilment.ts'
import { placeWithHost } from './place.ts'
import { listStalled } from './store.lists.ts'

const stalled_ms = 10 * 60_000

/** Orders that stand still get their task again; a task that is still waiting is not doubled. */
export const sweepOrders = task(
  'orders.sweep',
  Type.Object({}),
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  async (job) => {
    const before = new Date(job.clock.now().getTime() - stalled_ms)
    for (const { organization_id, id, status } of await listStalled(job.database.across, before)) {
      const name = status === 'PLACED' || status === 'BEING_FULFILLED' ? fulfilOrderTask : placeWithHost
      await job.database
        .of(organization_id)
        .transaction((tx) => job.queue.enqueue(tx, name, { organization_id, order_id: id }, { singleton_key: id }))
    }
  },
)
