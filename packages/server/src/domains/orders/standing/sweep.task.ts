import { defineTask } from '../../../engine/task.ts'
import { taskTypes } from '../../../engine/task-types.ts'
import { listEveryOrganizationId } from '../../organizations/all-organizations.ts'
import { listDueStandingOrders } from './store.standing-scenes.ts'

/** Enqueues the task of each standing order with a due scene; the singleton key prevents a second one meanwhile. */
export const sweepStandingOrders = defineTask(
  taskTypes.sweepStandingOrders,
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  async ({ database, clock, queue, signal }) => {
    for (const organization_id of await listEveryOrganizationId(database.unscoped)) {
      signal.throwIfAborted()
      const db = database.forOrganization(organization_id)
      const now = clock.forOrganization(organization_id).now()
      for (const id of await listDueStandingOrders(db, organization_id, now)) {
        const data = { organization_id, standing_order_id: id }
        await db.transaction((tx) => queue.enqueue(tx, taskTypes.runStandingOrder, data, { singleton_key: id }))
      }
    }
  },
)
