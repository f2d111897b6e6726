import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import { markEventDeliveriesEnded } from '../store.deliveries.ts'

/** The open deliveries `d` of events whose days ended more than so many days ago, on the clock that drops them. */
const isOpenOfOldEvent = (kept_days: number): Sql => sql`
  d.next_at is not null
  and d.event_id < swath_first_id((statement_timestamp() at time zone 'UTC')::date - ${kept_days}::integer)`

/** The organizations with such deliveries, sandboxes included. */
export async function listOrganizationsWithOldWebhookDeliveries(
  unscoped: SqlStatementRunner,
  kept_days: number,
): Promise<string[]> {
  const rows = await unscoped.query<{ organization_id: string }>(sql`
    select distinct d.organization_id from event_deliveries d where ${isOpenOfOldEvent(kept_days)}`)
  return rows.map(({ organization_id }) => organization_id)
}

/** The subscriptions with such deliveries, locked in the order of their ids. */
export async function lockEventSubscriptionsWithOldEventDeliveries(
  tx: Tx,
  organization: string,
  kept_days: number,
): Promise<number> {
  const rows = await tx.query(sql`
    select id from event_subscriptions s
    where s.organization_id = ${organization} and s.id in (
      select d.subscription_id from event_deliveries d
      where d.organization_id = ${organization} and ${isOpenOfOldEvent(kept_days)})
    order by id
    for no key update`)
  return rows.length
}

/** Ends the oldest of them, at most 1,000, whose subscriptions are locked. */
export const markOldWebhookDeliveriesEnded = (
  tx: Tx,
  organization: string,
  kept_days: number,
  now: OrganizationTime,
): Promise<boolean> =>
  markEventDeliveriesEnded(tx, organization, {
    condition: isOpenOfOldEvent(kept_days),
    state: 'cancelled',
    now,
  })
