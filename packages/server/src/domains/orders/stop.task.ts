import { createTaskActor, defineTask } from '../../engine/task.ts'
import { stopOrderNow } from './stop-order.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

const failure = {
  code: 'payment-ended',
  text: 'The payment hold of the order ended before it was delivered completely.',
}

/**
 * Handles `hold.ending` and `hold.expired`: delivered captures are charged while possible, and the rest is not delivered.
 */
export const stopOrderTask = defineTask(
  backgroundTaskTypes.stopOrder,
  { limit: 8, delay_s: 5, backoff: true, expire_s: 60 },
  async (context, { organization_id, entity_type, entity_id }) => {
    if (entity_type !== 'order') return
    const actor = createTaskActor(context, organization_id)
    const db = context.database.forOrganization(organization_id)
    await db.transaction((tx) => stopOrderNow(tx, actor, entity_id, failure))
  },
)
