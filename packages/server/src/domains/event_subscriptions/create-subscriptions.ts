import { webhookServicesKey } from './webhook-services.ts'
import type { Call } from '../../engine/call.ts'
import { getCallingApiKeyId } from '../../engine/principal.ts'
import { newId } from '../../platform/ids.ts'
import { generateSigningSecret } from '../../platform/crypto/secrets.ts'
import type { WebhookCustomHeaders } from './custom-headers.ts'
import type { EventFilterConfig } from './event-filter.ts'
import { insertEventSubscription, type EventSubscriptionRow } from './store.ts'
import { requireEventSubscriptionQuota, validateEventSubscription } from './subscription.ts'
import { encryptCustomHeaders } from './subscription-secrets.ts'

export interface NewEventSubscriptions {
  readonly event_types: readonly string[]
  readonly endpoint_url: string
  readonly filter_config?: EventFilterConfig
  readonly headers?: WebhookCustomHeaders
  readonly description?: string | null
}

/**
 * Subscribes an endpoint to event types, each by a subscription of its own with the same signing secret: all of them or none.
 * Throws `validation` and `quota-exceeded`.
 */
export async function createEventSubscriptions(
  call: Call,
  { event_types, endpoint_url, filter_config = {}, headers, description = null }: NewEventSubscriptions,
): Promise<{ readonly secret: string; readonly rows: readonly EventSubscriptionRow[] }> {
  for (const [at, event_type] of event_types.entries()) {
    // The endpoint is the same for all.
    const endpoint = at === 0 ? endpoint_url : null
    await validateEventSubscription(call, {
      event_type,
      endpoint_url: endpoint,
      filter_config,
      headers: headers ?? null,
    })
  }
  const webhooks = call.processServices.get(webhookServicesKey)
  const secret = generateSigningSecret()
  const rows = await call.transaction(async (tx) => {
    await requireEventSubscriptionQuota(tx, call.organization, event_types.length)
    const created: EventSubscriptionRow[] = []
    for (const event_type of event_types) {
      const subscription = {
        organization_id: call.organization,
        id: newId(),
        event_type,
        endpoint_url,
        filter_config,
        description,
        created_by: call.principal.user,
        created_by_key: getCallingApiKeyId(call.principal),
        sealed_secret: webhooks.seal(secret),
        sealed_headers: encryptCustomHeaders(webhooks, headers),
      }
      created.push(await insertEventSubscription(tx, subscription, call.clock.now()))
    }
    return created
  })
  return { secret, rows }
}
