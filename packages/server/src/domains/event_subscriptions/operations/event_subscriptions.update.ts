import { webhookServicesKey } from '../webhook-services.ts'
import { eventSubscriptionsUpdateOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { updateEventSubscription } from '../store.ts'
import {
  lockEventSubscription,
  requireEventSubscriptionWithoutWebhook,
  requireChangeableEventSubscription,
  findManageableSubscriptionScope,
  toEventSubscription,
  validateEventSubscription,
} from '../subscription.ts'
import { encryptCustomHeaders } from '../subscription-secrets.ts'

export const handler = defineHandler(eventSubscriptionsUpdateOperation, async (call, input) => {
  const { event_type } = await requireChangeableEventSubscription(call, input.subscription_id)
  await validateEventSubscription(call, { ...input, event_type })
  const webhooks = call.processServices.get(webhookServicesKey)
  const scope = await findManageableSubscriptionScope(call)
  const row = await call.transaction(async (tx) => {
    const before = await lockEventSubscription(tx, scope, input.subscription_id)
    requireEventSubscriptionWithoutWebhook(before)
    const changed = {
      ...before,
      endpoint_url: input.endpoint_url ?? before.endpoint_url,
      filter_config: input.filter_config === undefined ? before.filter_config : (input.filter_config ?? {}),
      sealed_headers:
        input.headers === undefined ? before.sealed_headers : encryptCustomHeaders(webhooks, input.headers),
      description: input.description === undefined ? before.description : input.description,
      active: input.active ?? before.active,
    }
    return updateEventSubscription(tx, changed, call.clock.now())
  })
  return toEventSubscription(webhooks, row)
})
