import type { Actor } from '../../engine/actor.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import { shiftTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { emitEvent } from '../events/emit.ts'
import {
  disable_event_subscription_after_ms,
  computeWebhookEndpointHold_ms,
  computeNextAttemptAt,
  outages_until_endpoint_held,
  warn_event_subscription_after_ms,
} from './retry-policy.ts'
import type { WebhookResult } from './send-webhook.ts'
import { markOpenEventDeliveriesEnded, type EventDeliveryAttemptRow } from './store.deliveries.ts'
import { findLoggedEventDeliveries } from './log/store.log.ts'
import {
  markEventSubscriptionDisabled,
  markEventDeliveryQueueHeld,
  lockEventSubscriptions,
  markEventSubscriptionWarned,
  updateEndpointFailures,
  updateWebhookEndpointSuccesses,
  type WebhookEndpointHealth,
} from './store.health.ts'
import {
  insertEventDeliveryAttempts,
  lockEventDeliveries,
  updateEventDeliveryOutcomes,
  type ClaimedEventDelivery,
  type EventDeliveryOutcome,
} from './store.queues.ts'
import type { EventDeliveryRetryPolicy } from './webhook-services.ts'

/** An attempt that was made, with its result. */
export interface FinishedEventDeliveryAttempt {
  readonly delivery: ClaimedEventDelivery
  readonly result: WebhookResult
}

const gone = 410
const too_many_requests = 429

/** Writes the results of attempts: what becomes of each delivery, the log, and the health of the endpoints. */
export async function recordEventDeliveryResults(
  tx: Tx,
  actor: Actor,
  policy: EventDeliveryRetryPolicy,
  attempts: readonly FinishedEventDeliveryAttempt[],
): Promise<void> {
  const { organization } = actor
  const now = actor.clock.now()
  const succeeded = new Set<string>()
  const failed = new Map<string, WebhookResult[]>()
  for (const { delivery, result } of attempts) {
    if (result.is_delivered) succeeded.add(delivery.subscription_id)
    else failed.set(delivery.subscription_id, [...(failed.get(delivery.subscription_id) ?? []), result])
  }
  const outcomes = attempts.map((attempt) => toOutcome(policy, attempt, now))
  // Before the deliveries: whoever claims or deletes deliveries locks the subscription first, too.
  const failing = await lockEventSubscriptions(tx, organization, [...new Set([...succeeded, ...failed.keys()])])
  const updated = await updateEventDeliveryOutcomes(tx, organization, outcomes, now)
  await logAttempts(tx, organization, attempts.map(toAttemptRow), updated)
  const recovered = [...succeeded].filter((id) => failing.has(id))
  if (recovered.length > 0) await updateWebhookEndpointSuccesses(tx, organization, recovered)
  for (const [id, results] of failed) {
    await recordEndpointFailures(tx, actor, policy, { id, results, hasSucceeded: succeeded.has(id) })
  }
}

/** Attempts at deliveries that were deleted meanwhile are not logged; `updated` were not. */
async function logAttempts(
  tx: Tx,
  organization: string,
  attempts: readonly EventDeliveryAttemptRow[],
  updated: ReadonlySet<string>,
): Promise<void> {
  const others = attempts.map(({ delivery_id }) => delivery_id).filter((id) => !updated.has(id))
  const present = others.length > 0 ? await findPresent(tx, organization, others) : new Set<string>()
  const logged = attempts.filter(({ delivery_id }) => updated.has(delivery_id) || present.has(delivery_id))
  await insertEventDeliveryAttempts(tx, organization, logged)
}

/** The deliveries that are in the queue or, for example after their subscription was disabled, in the log. */
async function findPresent(tx: Tx, organization: string, ids: readonly string[]): Promise<Set<string>> {
  const open = await lockEventDeliveries(tx, organization, ids)
  const others = ids.filter((id) => !open.has(id))
  return others.length === 0 ? open : new Set([...open, ...(await findLoggedEventDeliveries(tx, organization, others))])
}

function toOutcome(
  policy: EventDeliveryRetryPolicy,
  { delivery, result }: FinishedEventDeliveryAttempt,
  now: OrganizationTime,
): EventDeliveryOutcome {
  const { id, attempt_id } = delivery
  if (result.is_delivered) return { id, attempt_id, state: 'succeeded', next_at: null }
  const next_at =
    result.http_status === gone ? null : computeNextAttemptAt(policy, delivery.attempts, now, result.pause_ms)
  return { id, attempt_id, state: next_at === null ? 'dead' : 'retrying', next_at }
}

const toAttemptRow = ({ delivery, result }: FinishedEventDeliveryAttempt): EventDeliveryAttemptRow => ({
  id: delivery.attempt_id,
  delivery_id: delivery.id,
  endpoint_url: delivery.endpoint_url,
  is_delivered: result.is_delivered,
  http_status: result.http_status,
  error: result.error,
  response_headers: result.response_headers,
  response_body: result.response_body,
  started_at: result.started_at,
  duration_ms: result.duration_ms,
})

/** A response below 500 was made by a working endpoint that does not want this delivery. */
const isOutage = ({ http_status }: WebhookResult): boolean => http_status === null || http_status >= 500

interface EndpointFailures {
  /** The subscription. */
  readonly id: string
  readonly results: readonly WebhookResult[]
  /** True if another delivery to the endpoint was accepted meanwhile. */
  readonly hasSucceeded: boolean
}

async function recordEndpointFailures(
  tx: Tx,
  actor: Actor,
  policy: EventDeliveryRetryPolicy,
  failures: EndpointFailures,
): Promise<void> {
  const { id, results, hasSucceeded } = failures
  const { organization } = actor
  const isGone = results.some(({ http_status }) => http_status === gone)
  if (isGone || !hasSucceeded) {
    const outages = results.filter(isOutage).length
    const now = actor.clock.now()
    const health = await updateEndpointFailures(
      tx,
      { organization, id },
      { outages, outages_until_held: outages_until_endpoint_held },
      now,
    )
    if (!health) return
    const failing_ms = now.getTime() - health.failing_since.getTime()
    if (isGone) return disableEndpoint(tx, actor, health, 'gone')
    if (failing_ms >= disable_event_subscription_after_ms) return disableEndpoint(tx, actor, health, 'failing')
    const hold_ms = outages > 0 && !health.is_held ? computeWebhookEndpointHold_ms(policy, health.failure_count) : 0
    if (hold_ms > 0) await markEventDeliveryQueueHeld(tx, organization, id, shiftTime(now, hold_ms))
    if (failing_ms >= warn_event_subscription_after_ms && health.failure_warned_at === null)
      await warnOfFailures(tx, actor, health, results.at(-1)!)
  }
  const pause_ms = Math.max(0, ...results.filter(asksForPause).map((result) => result.pause_ms ?? 0))
  if (pause_ms > 0) await markEventDeliveryQueueHeld(tx, organization, id, shiftTime(actor.clock.now(), pause_ms))
}

/** 429 and 503 are about the endpoint as a whole, so nothing else is sent to it meanwhile. */
const asksForPause = ({ http_status }: WebhookResult): boolean =>
  http_status === too_many_requests || http_status === 503

async function warnOfFailures(
  tx: Tx,
  actor: Actor,
  health: WebhookEndpointHealth,
  { error }: WebhookResult,
): Promise<void> {
  const { id, event_type, endpoint_url, failing_since } = health
  await markEventSubscriptionWarned(tx, actor.organization, id, actor.clock.now())
  await emitEvent(tx, actor, {
    kind: 'event_subscription.failing',
    entity_type: 'event_subscription',
    entity_id: id,
    data: {
      event_type,
      endpoint_url,
      failing_since: failing_since.toISOString(),
      disables_at: new Date(failing_since.getTime() + disable_event_subscription_after_ms).toISOString(),
      ...(error === null ? {} : { last_error: error }),
    },
  })
}

async function disableEndpoint(
  tx: Tx,
  actor: Actor,
  { id, event_type, endpoint_url }: WebhookEndpointHealth,
  reason: 'gone' | 'failing',
): Promise<void> {
  const now = actor.clock.now()
  const endpoint = { organization: actor.organization, id }
  if (!(await markEventSubscriptionDisabled(tx, endpoint, reason, now))) return
  await markOpenEventDeliveriesEnded(tx, { organization: actor.organization, subscription: id }, 'dead', now)
  await emitEvent(tx, actor, {
    kind: 'event_subscription.disabled',
    entity_type: 'event_subscription',
    entity_id: id,
    data: { event_type, endpoint_url, reason },
  })
}
