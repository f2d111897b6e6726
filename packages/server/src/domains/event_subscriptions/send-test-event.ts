import { webhookServicesKey } from './webhook-services.ts'
import { eventDefinitions } from '@swath/contract/events.ts'
import type { Call } from '../../engine/call.ts'
import { assertInvariant, Problem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { sendWebhook, type WebhookResult } from './send-webhook.ts'
import { listEventSubscriptionsOfWebhook, type EventSubscriptionRow } from './store.ts'
import { isEventType } from './subscription.ts'
import { decryptCustomHeaders, decryptSigningSecrets } from './subscription-secrets.ts'

const testRate = { name: 'webhook-tests', max: 10, window_ms: 60_000 }

/** Sends the example of the event type, marked as `test`, once and immediately. Throws `rate-limited`. */
export async function sendTestEvent(
  call: Call,
  row: EventSubscriptionRow,
): Promise<{ event_id: string; payload: Record<string, unknown>; result: WebhookResult }> {
  const unit = await call.rateLimiter.take(testRate, row.id)
  call.reportRateLimits([unit])
  if (unit.refused)
    throw new Problem('rate-limited', `At most ${testRate.max} tests of a subscription may be sent per minute.`, {
      retry_after_s: unit.reset_s,
    })
  assertInvariant(isEventType(row.event_type), 'a subscription has an event type of the contract')
  const event_id = newId()
  const payload = {
    event_id,
    event_type: row.event_type,
    timestamp: call.clock.now().toISOString(),
    organization_id: call.organization,
    entity_type: row.event_type.split('.')[0],
    entity_id: newId(),
    data: eventDefinitions[row.event_type].example,
    test: true,
  }
  const webhooks = call.processServices.get(webhookServicesKey)
  const result = await sendWebhook(
    { fetch: call.integrations.fetch, clock: call.clock.process, timeout_ms: webhooks.policy.timeout_ms },
    {
      endpoint_url: row.endpoint_url,
      headers: decryptCustomHeaders(webhooks, row.sealed_headers),
      secrets: decryptSigningSecrets(webhooks, row, call.clock.now()),
      event_id,
      event_type: row.event_type,
      delivery_id: newId(),
      body: JSON.stringify(payload),
    },
  )
  return { event_id, payload, result }
}

/** Sends a test of each of the event types that the webhook has a subscription for. Throws `rate-limited`. */
export async function sendWebhookTests(
  call: Call,
  webhook_id: string,
  types: readonly string[],
): Promise<WebhookResult[]> {
  const rows = await listEventSubscriptionsOfWebhook(call.db, call.organization, webhook_id)
  const tested = rows.filter(({ event_type }) => types.includes(event_type))
  const sent = await Promise.all(tested.map((row) => sendTestEvent(call, row)))
  return sent.map(({ result }) => result)
}
