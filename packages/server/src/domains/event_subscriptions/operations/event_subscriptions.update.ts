import { webhookServicesKey } from '../webhook-services.ts'
import { eventSubscriptionsUpdateOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { updateSubscription } from '../store.ts'
import {
  lockSubscription,
  requireSubscriptionWithoutWebhook,
  requireSubscription,
  findSubscriptionScope,
  toSubscription,
  validateSubscription,
} from '../subscription.ts'
import { encryptCustomHeaders } from '../subscription-secrets.ts'

export const handler = defineHandler(eventSubscriptionsUpdateOperation, async (call, input) => {
  const { event_type } = await requireSubscription(call, input.subscription_id)
  await validateSubscription(call, { ...input, event_type })
  const webhooks = call.processServices.get(webhookServicesKey)
  const scope = await findSubscriptionScope(call)
  const row = await call.transaction(async (tx) => {
    const before = await lockSubscription(tx, scope, input.subscription_id)
    requireSubscriptionWithoutWebhook(before)
    const changed = {
      ...before,
      endpoint_url: input.endpoint_url ?? before.endpoint_url,
      filter_config: input.filter_config === undefined ? before.filter_config : (input.filter_config ?? {}),
      sealed_headers:
        input.headers === undefined ? before.sealed_headers : encryptCustomHeaders(webhooks, input.headers),
      description: input.description === undefined ? before.description : input.description,
      active: input.active ?? before.active,
    }
    return updateSubscription(tx, changed, call.clock.now())
  })
  return toSubscription(webhooks, row)
})
