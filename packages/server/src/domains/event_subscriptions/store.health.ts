import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/**
 * Locks subscriptions in the order of their ids, so that two transactions which update several of them do not deadlock. Returns
 * those whose endpoint has failed since it last accepted a delivery.
 */
export async function lockEventSubscriptions(
  tx: Tx,
  organization: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string; has_failed: boolean }>(
    sql.prepared(sql`
    select id, failure_count > 0 or failing_since is not null or held_until is not null as has_failed
    from event_subscriptions
    where organization_id = ${organization} and id = any(${[...ids]}::uuid[])
    order by id for no key update`),
  )
  return new Set(rows.filter(({ has_failed }) => has_failed).map(({ id }) => id))
}

/** Ends the record of failures of endpoints that accepted a delivery. */
export async function updateWebhookEndpointSuccesses(
  tx: Tx,
  organization: string,
  subscriptions: readonly string[],
): Promise<void> {
  await tx.query(sql`
    update event_subscriptions
    set failure_count = 0, failing_since = null, failure_warned_at = null, held_until = null
    where organization_id = ${organization} and id = any(${[...subscriptions]}::uuid[])`)
}

export interface WebhookEndpointHealth {
  readonly id: string
  readonly event_type: string
  readonly endpoint_url: string
  readonly failure_count: number
  readonly failing_since: Date
  readonly failure_warned_at: Date | null
  readonly is_held: boolean
}

export interface EndpointFailureCount {
  /** Failures at once that say that the endpoint is down. */
  readonly outages: number
  /** The number of consecutive outages after which the endpoint is held. */
  readonly outages_until_held: number
}

/**
 * Counts failures in a row of an endpoint. Outages count one by one until it is held. Then only those of a probe count, and as
 * one: what ends during a hold began before it, and says nothing new. Null if the subscription is not active any more.
 */
export async function updateEndpointFailures(
  tx: Tx,
  { organization, id }: { readonly organization: string; readonly id: string },
  { outages, outages_until_held }: EndpointFailureCount,
  now: OrganizationTime,
): Promise<WebhookEndpointHealth | null> {
  const [row] = await tx.query<WebhookEndpointHealth>(sql`
    update event_subscriptions
    set failure_count = case
          when held_until > ${now} then failure_count
          when failure_count < ${outages_until_held}::int
            then least(${outages_until_held}::int, failure_count + ${outages}::int)
          else failure_count + least(1, ${outages}::int) end,
        failing_since = coalesce(failing_since, ${now})
    where organization_id = ${organization} and id = ${id} and active
    returning id, event_type, endpoint_url, failure_count, failing_since, failure_warned_at,
              coalesce(held_until > ${now}, false) as is_held`)
  return row ?? null
}

/** Nothing is sent to the endpoint before this time. */
export async function markEventDeliveryQueueHeld(
  tx: Tx,
  organization: string,
  id: string,
  until: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update event_subscriptions set held_until = greatest(coalesce(held_until, ${until}), ${until})
    where organization_id = ${organization} and id = ${id}`)
}

export async function markEventSubscriptionWarned(
  tx: Tx,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update event_subscriptions set failure_warned_at = ${now} where organization_id = ${organization} and id = ${id}`)
}

/** False if the subscription is not active any more. */
export async function markEventSubscriptionDisabled(
  tx: Tx,
  { organization, id }: { readonly organization: string; readonly id: string },
  reason: 'gone' | 'failing',
  now: OrganizationTime,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update event_subscriptions set active = false, disabled_reason = ${reason}, updated_at = ${now}
    where organization_id = ${organization} and id = ${id} and active
    returning id`)
  return rows.length > 0
}
