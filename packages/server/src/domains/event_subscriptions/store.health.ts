import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Ends the record of failures of endpoints that accepted a delivery. */
export async function recordSuccesses(tx: Tx, organization: string, subscriptions: readonly string[]): Promise<void> {
  await tx.query(sql`
    update event_subscriptions
    set failure_count = 0, failing_since = null, failure_warned_at = null, held_until = null
    where organization_id = ${organization} and id = any(${[...subscriptions]}::uuid[])
      and (failure_count > 0 or failing_since is not null or held_until is not null)`)
}

export interface EndpointHealth {
  readonly id: string
  readonly event_type: string
  readonly endpoint_url: string
  readonly failure_count: number
  readonly failing_since: Date
  readonly failure_warned_at: Date | null
}

/** Counts failures in a row of an endpoint. `outages` are those that say that it is down. Null if it is not active any more. */
export async function recordFailures(
  tx: Tx,
  { organization, id }: { readonly organization: string; readonly id: string },
  outages: number,
  now: OrganizationTime,
): Promise<EndpointHealth | null> {
  const [row] = await tx.query<EndpointHealth>(sql`
    update event_subscriptions
    set failure_count = failure_count + ${outages}, failing_since = coalesce(failing_since, ${now})
    where organization_id = ${organization} and id = ${id} and active
    returning id, event_type, endpoint_url, failure_count, failing_since, failure_warned_at`)
  return row ?? null
}

/** Nothing is sent to the endpoint before this time. */
export async function holdQueue(tx: Tx, organization: string, id: string, until: OrganizationTime): Promise<void> {
  await tx.query(sql`
    update event_subscriptions set held_until = greatest(coalesce(held_until, ${until}), ${until})
    where organization_id = ${organization} and id = ${id}`)
}

export async function markWarned(tx: Tx, organization: string, id: string, now: OrganizationTime): Promise<void> {
  await tx.query(sql`
    update event_subscriptions set failure_warned_at = ${now} where organization_id = ${organization} and id = ${id}`)
}

/** False if the subscription is not active any more. */
export async function disableSubscription(
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
