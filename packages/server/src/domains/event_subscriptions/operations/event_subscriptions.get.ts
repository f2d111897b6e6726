import { webhookServicesKey } from '../webhook-services.ts'
import { eventSubscriptionsGetOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireEventSubscription, toEventSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsGetOperation, async (call, input) => ({
  subscription: toEventSubscription(
    call.processServices.get(webhookServicesKey),
    await requireEventSubscription(call, input.subscription_id),
  ),
}))
