import { webhookServicesKey } from '../webhook-services.ts'
import { hour_ms } from '@swath/geo/time-units.ts'
import { eventSubscriptionsRotateSecretOperation } from '@swath/contract/operations/event_subscriptions.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { shiftTime } from '../../../platform/clock.ts'
import { generateSigningSecret } from '../../../platform/crypto/secrets.ts'
import { updateEventSubscriptionSecret } from '../store.ts'
import {
  lockEventSubscription,
  requireChangeableEventSubscription,
  requireEventSubscriptionWithoutWebhook,
  findManageableSubscriptionScope,
  toEventSubscription,
} from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsRotateSecretOperation, async (call, input) => {
  const webhooks = call.processServices.get(webhookServicesKey)
  const secret = generateSigningSecret()
  await requireChangeableEventSubscription(call, input.subscription_id)
  const scope = await findManageableSubscriptionScope(call)
  const row = await call.transaction(async (tx) => {
    const before = await lockEventSubscription(tx, scope, input.subscription_id)
    requireEventSubscriptionWithoutWebhook(before)
    const now = call.clock.now()
    const hasOverlap = input.overlap_hours > 0
    const secrets = {
      sealed_secret: webhooks.seal(secret),
      previous_sealed_secret: hasOverlap ? before.sealed_secret : null,
      previous_secret_expires_at: hasOverlap ? shiftTime(now, input.overlap_hours * hour_ms) : null,
    }
    return updateEventSubscriptionSecret(tx, { ...before, ...secrets }, now)
  })
  const previous_secret_expires_at = row.previous_secret_expires_at?.toISOString() ?? null
  return { ...toEventSubscription(webhooks, row, secret), previous_secret_expires_at }
})
