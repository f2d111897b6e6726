import { eventSubscriptionsDeliveriesRedeliverOperation } from '@swath/contract/operations/event_subscriptions.deliveries.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { eventChannels } from '../../events/event-channels.ts'
import { requireDelivery, toDelivery } from '../delivery.ts'
import { updateDeliverySchedule } from '../store.deliveries.ts'
import { requireActiveSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsDeliveriesRedeliverOperation, async (call, input) => {
  const { delivery, subscription } = await requireDelivery(call, input.delivery_id)
  requireActiveSubscription(subscription)
  await call.transaction(async (tx) => {
    if (!(await updateDeliverySchedule(tx, call.organization, delivery.id, call.clock.now())))
      throw new Problem('invalid-state', 'The delivery is being sent at this moment.')
    tx.publish(eventChannels.deliveries, call.organization)
  })
  return { delivery: toDelivery((await requireDelivery(call, delivery.id)).delivery) }
})
