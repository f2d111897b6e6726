import { webhookServicesKey } from '../webhook-services.ts'
import { eventSubscriptionsCreateManyOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createSubscriptions } from '../create-subscriptions.ts'
import { toSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsCreateManyOperation, async (call, input) => {
  const { secret, rows } = await createSubscriptions(call, input)
  return { secret, subscriptions: rows.map((row) => toSubscription(call.processServices.get(webhookServicesKey), row)) }
})
