import Type from 'typebox'
import { Uuid } from '@swath/contract/shapes/primitives.ts'
import { actorOf, task } from '../../engine/task.ts'
import { endedUnpaid } from '../billing/spend.ts'
import { endWithDelivery, endWithoutDelivery } from './end.ts'
import { findOrder, listCaptures } from './store.ts'

/** The name of the task that stops an order whose payment hold is ending. */
export const stopOrderTask = 'orders.stop'

const reason = {
  code: 'payment-ended',
  text: 'The payment hold of the order ended before it was delivered completely.',
}

/**
 * Handles `hold.ending` and `hold.expired`: delivered captures are charged while possible, and the rest is not delivered.
 */
export const stopOrder = task(
  stopOrderTask,
  Type.Object({ organization_id: Uuid, entity_type: Type.String(), entity_id: Type.String() }),
  { limit: 8, delay_s: 5, backoff: true, expire_s: 60 },
  async (job, { organization_id, entity_type, entity_id }) => {
    if (entity_type !== 'order') return
    const actor = actorOf(job, organization_id)
    await job.database.of(organization_id).transaction(async (tx) => {
      const order = await findOrder(tx, organization_id, entity_id)
      if (!order) return
      const captures = await listCaptures(tx, organization_id, entity_id)
      const lost = order.hold_id !== null && (await endedUnpaid(tx, organization_id, order.hold_id))
      const delivered = captures.some((capture) => capture.delivered_at !== null)
      if (delivered && !lost) await endWithDelivery(tx, actor, order, captures, reason)
      else await endWithoutDelivery(tx, actor, order, 'stop', reason)
    })
  },
)
