import { webhookServicesKey } from '../webhook-services.ts'
import { eventSubscriptionsCreateManyOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createEventSubscriptions } from '../create-subscriptions.ts'
import { toEventSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsCreateManyOperation, async (call, input) => {
  const { secret, rows } = await createEventSubscriptions(call, input)
  return {
    secret,
    subscriptions: rows.map((row) => toEventSubscription(call.processServices.get(webhookServicesKey), row)),
  }
})
