import { defineTask, createTaskActor } from '../../../engine/task.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { suspendStandingOrder } from './standing-order.ts'
import { listSavedSearchStandingOrders } from './store.standing-orders.ts'

/** Handles `saved_search.deleted`: standing orders that follow the search will find nothing any more. */
export const suspendStandingOrdersTask = defineTask(
  backgroundTaskTypes.suspendStandingOrders,
  { limit: 8, delay_s: 5, backoff: true, expire_s: 60 },
  async (context, { organization_id, entity_id }) => {
    const actor = createTaskActor(context, organization_id)
    await context.database.forOrganization(organization_id).transaction(async (tx) => {
      for (const { id } of await listSavedSearchStandingOrders(tx, organization_id, entity_id))
        await suspendStandingOrder(tx, actor, id, 'The saved search was deleted.')
    })
  },
)
