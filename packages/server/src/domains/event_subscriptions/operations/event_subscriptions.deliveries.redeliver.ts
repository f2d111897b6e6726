import { eventSubscriptionsDeliveriesRedeliverOperation } from '@swath/contract/operations/event_subscriptions.deliveries.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { eventChannels } from '../../events/event-channels.ts'
import { requireAuthorityOver } from '../../organizations/membership.ts'
import { requireEventDelivery, toEventDelivery } from '../delivery.ts'
import { updateEventDeliverySchedule } from '../store.deliveries.ts'
import { requireActiveEventSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsDeliveriesRedeliverOperation, async (call, input) => {
  const { delivery, subscription } = await requireEventDelivery(call, input.delivery_id)
  await requireAuthorityOver(call, subscription.created_by)
  requireActiveEventSubscription(subscription)
  await call.transaction(async (tx) => {
    if (!(await updateEventDeliverySchedule(tx, call.organization, delivery.id, call.clock.now())))
      throw new Problem('invalid-state', 'The delivery is being sent at this moment.')
    tx.publish(eventChannels.deliveries, call.organization)
  })
  return { delivery: toEventDelivery((await requireEventDelivery(call, delivery.id)).delivery) }
})
