import type { Actor } from '../../engine/actor.ts'
import { toProcessClockTime, shiftTime } from '../../platform/clock.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import type { SafeFetch } from '../../platform/integrations/integrations.ts'
import { toEventJson } from '../events/event-json.ts'
import { recordEventDeliveryResults, type FinishedEventDeliveryAttempt } from './record-results.ts'
import {
  computeEventDeliveryLease_ms,
  max_concurrent_deliveries,
  computeMaxConcurrentEventDeliveries,
  computeMaxEventDeliveryAge_ms,
} from './retry-policy.ts'
import { sendWebhook } from './send-webhook.ts'
import {
  claimEventDeliveries,
  markEventDeliveriesExpired,
  lockDueEventDeliveryQueues,
  type ClaimedEventDelivery,
} from './store.queues.ts'
import { decryptSigningSecrets, decryptCustomHeaders } from './subscription-secrets.ts'
import type { WebhookServices } from './webhook-services.ts'

/** The dependencies of sending the deliveries of one organization. */
export interface EventDeliveryContext {
  readonly actor: Actor
  readonly db: DbConnection
  readonly fetch: SafeFetch
  readonly webhooks: WebhookServices
}

export interface ClaimedEventDeliveryBatch {
  readonly deliveries: readonly ClaimedEventDelivery[]
  /** True if something else is due, which the limits left for later. */
  readonly isMoreDue: boolean
}

const nothing_due: ClaimedEventDeliveryBatch = { deliveries: [], isMoreDue: false }

/** Claims due deliveries of the organization, at most `limit`; expired ones are dead-lettered instead. */
export const claimDueEventDeliveries = (
  { actor, db, webhooks }: EventDeliveryContext,
  limit: number,
): Promise<ClaimedEventDeliveryBatch> =>
  db.transaction(async (tx) => {
    const { organization } = actor
    const now = actor.clock.now()
    const lease = {
      now: toProcessClockTime(actor.clock.process),
      until: toProcessClockTime(actor.clock.process, computeEventDeliveryLease_ms(webhooks.policy)),
    }
    const oldest = shiftTime(now, -computeMaxEventDeliveryAge_ms(webhooks.policy))
    // One more than is claimed, to know whether something is left.
    const due = await lockDueEventDeliveryQueues(tx, organization, {
      now,
      processTime: lease.now,
      oldest,
      max_counted: max_concurrent_deliveries + 1,
    })
    if (due.length === 0) return nothing_due
    const expired = due.filter(({ has_expired }) => has_expired).map(({ id }) => id)
    if (expired.length > 0)
      await markEventDeliveriesExpired(tx, organization, expired, { now, processTime: lease.now, oldest })
    const queues = due.map(({ id, is_accepting, due_count, active_count }) => ({
      id,
      due_count,
      max_concurrent: is_accepting ? computeMaxConcurrentEventDeliveries(active_count) : 1,
    }))
    const next_at = shiftTime(now, computeEventDeliveryLease_ms(webhooks.policy))
    const deliveries = await claimEventDeliveries(tx, { organization, queues, now, next_at, lease, limit })
    const due_count = queues.reduce((sum, queue) => sum + queue.due_count, 0)
    return { deliveries, isMoreDue: deliveries.length < due_count }
  })

/** Sends a claimed delivery. Never throws. */
export async function sendEventDelivery(
  { actor, fetch, webhooks }: EventDeliveryContext,
  delivery: ClaimedEventDelivery,
): Promise<FinishedEventDeliveryAttempt> {
  const event = toEventJson({ ...delivery, id: delivery.event_id })
  const body = JSON.stringify({ ...event, sequence: delivery.sequence })
  const result = await sendWebhook(
    { fetch, clock: actor.clock.process, timeout_ms: webhooks.policy.timeout_ms },
    {
      endpoint_url: delivery.endpoint_url,
      headers: decryptCustomHeaders(webhooks, delivery.sealed_headers),
      secrets: decryptSigningSecrets(webhooks, delivery, actor.clock.now()),
      event_id: delivery.event_id,
      event_type: delivery.kind,
      delivery_id: delivery.attempt_id,
      body,
    },
  )
  return { delivery, result }
}

export const recordEventDeliveryAttempts = (
  { actor, db, webhooks }: EventDeliveryContext,
  attempts: readonly FinishedEventDeliveryAttempt[],
): Promise<void> => db.transaction((tx) => recordEventDeliveryResults(tx, actor, webhooks.policy, attempts))
