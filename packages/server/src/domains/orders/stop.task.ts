import Type from 'typebox'
import { Uuid } from '@swath/contract/schemas/primitives.ts'
import { taskActor, defineTask } from '../../engine/task.ts'
import { isReleasedHold } from '../billing/payment.ts'
import { closeWithDelivery, closeWithoutDelivery } from './close-order.ts'
import { findOrder, listOrderCaptures } from './store.ts'

/** The name of the task that stops an order whose payment hold is ending. */
export const stopOrderTaskName = 'orders.stop'

const failure = {
  code: 'payment-ended',
  text: 'The payment hold of the order ended before it was delivered completely.',
}

/**
 * Handles `hold.ending` and `hold.expired`: delivered captures are charged while possible, and the rest is not delivered.
 */
export const stopOrder = defineTask(
  stopOrderTaskName,
  Type.Object({ organization_id: Uuid, entity_type: Type.String(), entity_id: Type.String() }),
  { limit: 8, delay_s: 5, backoff: true, expire_s: 60 },
  async (context, { organization_id, entity_type, entity_id }) => {
    if (entity_type !== 'order') return
    const actor = taskActor(context, organization_id)
    await context.database.forOrganization(organization_id).transaction(async (tx) => {
      const order = await findOrder(tx, organization_id, entity_id)
      if (!order) return
      const captures = await listOrderCaptures(tx, organization_id, entity_id)
      const isHoldLost = order.hold_id !== null && (await isReleasedHold(tx, organization_id, order.hold_id))
      const hasDelivered = captures.some((capture) => capture.delivered_at !== null)
      if (hasDelivered && !isHoldLost) await closeWithDelivery(tx, actor, order, captures, failure)
      else await closeWithoutDelivery(tx, actor, order, 'stop', failure)
    })
  },
)
