import type { Actor } from '../../engine/actor.ts'
import { shiftTime } from '../../platform/clock.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import type { SafeFetch } from '../../platform/integrations/integrations.ts'
import { toEventJson } from '../events/event-json.ts'
import { recordResults, type FinishedAttempt } from './record-results.ts'
import { lease_margin_ms, maxConcurrentDeliveries, maxAge_ms } from './retry-policy.ts'
import { sendWebhook } from './send-webhook.ts'
import {
  claimDeliveries,
  countActiveSubscriptions,
  expireDeliveries,
  lockDueQueues,
  type ClaimedDelivery,
} from './store.queues.ts'
import { openSecrets, openHeaders } from './subscription-secrets.ts'
import type { WebhookServices } from './webhook-services.ts'

/** What sending the deliveries of one organization needs. */
export interface DeliveryContext {
  readonly actor: Actor
  readonly db: DbConnection
  readonly fetch: SafeFetch
  readonly webhooks: WebhookServices
}

/** Claims due deliveries of the organization, at most `limit`; expired ones are dead-lettered instead. */
export const claimDue = ({ actor, db, webhooks }: DeliveryContext, limit: number): Promise<ClaimedDelivery[]> =>
  db.transaction(async (tx) => {
    const { organization } = actor
    const now = actor.clock.now()
    const max_concurrent = maxConcurrentDeliveries(await countActiveSubscriptions(tx, organization))
    const queues = await lockDueQueues(tx, organization, now, max_concurrent)
    if (queues.length === 0) return []
    const oldest = shiftTime(now, -maxAge_ms(webhooks.policy))
    const ids = queues.map(({ id }) => id)
    await expireDeliveries(tx, organization, ids, { now, oldest })
    const lease_until = shiftTime(now, webhooks.policy.timeout_ms + lease_margin_ms)
    const max_claimed = queues.reduce((sum, queue) => sum + queue.max_concurrent, 0)
    return claimDeliveries(tx, { organization, queues, now, lease_until, limit: Math.min(limit, max_claimed) })
  })

/** Sends a claimed delivery. Never throws. */
export async function sendDelivery(
  { actor, fetch, webhooks }: DeliveryContext,
  delivery: ClaimedDelivery,
): Promise<FinishedAttempt> {
  const body = JSON.stringify(toEventJson({ ...delivery, id: delivery.event_id }))
  const result = await sendWebhook(
    { fetch, clock: actor.clock.process, timeout_ms: webhooks.policy.timeout_ms },
    {
      endpoint_url: delivery.endpoint_url,
      headers: openHeaders(webhooks, delivery.sealed_headers),
      secrets: openSecrets(webhooks, delivery, actor.clock.now()),
      event_id: delivery.event_id,
      event_type: delivery.kind,
      delivery_id: delivery.attempt_id,
      body,
    },
  )
  return { delivery, result }
}

export const recordAttempts = (
  { actor, db, webhooks }: DeliveryContext,
  attempts: readonly FinishedAttempt[],
): Promise<void> => db.transaction((tx) => recordResults(tx, actor, webhooks.policy, attempts))
