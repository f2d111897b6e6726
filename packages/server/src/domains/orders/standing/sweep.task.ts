import { defineSweep, type DueWork } from '../../../engine/task.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { listOrganizationIdsForTimes } from '../../organizations/all-organizations.ts'
import { dueStandingOrderSceneRows, listDueStandingOrders } from './store.standing-scenes.ts'

/** Enqueues the task of each standing order with a due scene; the singleton key prevents a second one meanwhile. */
export const dueStandingOrdersWork: DueWork = {
  name: 'standing orders',
  dueRows: (organization) => [dueStandingOrderSceneRows(organization)],
  runDue: async ({ database, clock, queue, signal }, times) => {
    for (const organization_id of await listOrganizationIdsForTimes(database.unscoped, times)) {
      signal.throwIfAborted()
      const db = database.forOrganization(organization_id)
      const now = clock.forOrganization(organization_id).now()
      for (const id of await listDueStandingOrders(db, organization_id, now)) {
        const data = { organization_id, standing_order_id: id }
        await db.transaction((tx) =>
          queue.enqueue(tx, backgroundTaskTypes.runStandingOrder, data, { singleton_key: id }),
        )
      }
    }
  },
}

export const sweepStandingOrdersTask = defineSweep(
  backgroundTaskTypes.sweepStandingOrders,
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  dueStandingOrdersWork,
)
