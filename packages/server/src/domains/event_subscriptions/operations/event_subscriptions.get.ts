import { webhookServicesKey } from '../webhook-services.ts'
import { eventSubscriptionsGetOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireSubscription, toSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsGetOperation, async (call, input) => ({
  subscription: toSubscription(
    call.processServices.get(webhookServicesKey),
    await requireSubscription(call, input.subscription_id),
  ),
}))
