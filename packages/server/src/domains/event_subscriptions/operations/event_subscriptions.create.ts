import { webhookServicesKey } from '../webhook-services.ts'
import { eventSubscriptionsCreateOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createEventSubscriptions } from '../create-subscriptions.ts'
import { toEventSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsCreateOperation, async (call, { event_type, ...fields }) => {
  const { secret, rows } = await createEventSubscriptions(call, { ...fields, event_types: [event_type] })
  return toEventSubscription(call.processServices.get(webhookServicesKey), rows[0]!, secret)
})
