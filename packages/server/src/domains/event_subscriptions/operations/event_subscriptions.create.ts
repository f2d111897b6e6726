import { eventSubscriptionsCreateOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { apiKeyOf } from '../../../engine/principal.ts'
import { newId } from '../../../platform/ids.ts'
import { generateSigningSecret } from '../../../platform/crypto/secrets.ts'
import { insertSubscription } from '../store.ts'
import { requireSubscriptionQuota, toSubscription, validateSubscription } from '../subscription.ts'
import { sealHeaders } from '../subscription-secrets.ts'

export const createEventSubscription = defineHandler(eventSubscriptionsCreateOperation, async (call, input) => {
  await validateSubscription(call, input)
  const { webhooks } = call.services
  const secret = generateSigningSecret()
  const row = await call.transaction(async (tx) => {
    await requireSubscriptionQuota(tx, call.organization)
    const subscription = {
      organization_id: call.organization,
      id: newId(),
      event_type: input.event_type,
      endpoint_url: input.endpoint_url,
      filter_config: input.filter_config ?? {},
      description: input.description ?? null,
      created_by: call.principal.user,
      created_by_key: apiKeyOf(call.principal),
      sealed_secret: webhooks.seal(secret),
      sealed_headers: sealHeaders(webhooks, input.headers),
    }
    return insertSubscription(tx, subscription, call.clock.now())
  })
  return toSubscription(webhooks, row, secret)
})
