import type { StuckWorkFilter, StuckWorkRow } from '../../../engine/stuck-work.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { dayRowMadeAfterCondition } from '../log/store.log.ts'
import { joinEventsOfDeliveriesSql } from '../store.deliveries.ts'

/** Deliveries that have used up their attempts, oldest first. */
export const listDeadEventDeliveries = (
  db: SqlStatementRunner,
  organization: string,
  filter: StuckWorkFilter,
): Promise<StuckWorkRow[]> =>
  db.query<StuckWorkRow>(sql`
    select d.organization_id, d.id, e.kind as subject, 'gave-up' as reason,
      concat(d.attempts, case d.attempts when 1 then ' attempt; ' else ' attempts; ' end,
        case when s.active then 'the subscription is active' else 'the subscription is not active' end) as detail, d.finished_at as since
    from event_delivery_log d
    ${joinEventsOfDeliveriesSql}
    join event_subscriptions s on s.organization_id = ${organization} and s.id = d.subscription_id
    where d.organization_id = ${organization} and d.state = 'dead' and (${filter.id}::uuid is null or d.id = ${filter.id})
      and d.finished_at <= ${filter.before}
    order by d.finished_at, d.id
    limit ${filter.limit}`)

/** Gives up a dead delivery for good; false if it is not dead. */
export async function markDeadEventDeliveryCancelled(
  tx: Tx,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update event_delivery_log set state = 'cancelled', finished_at = ${now}
    where organization_id = ${organization} and id = ${id} and ${dayRowMadeAfterCondition(sql`log_id`, id)} and state = 'dead'
    returning id`)
  return rows.length > 0
}
