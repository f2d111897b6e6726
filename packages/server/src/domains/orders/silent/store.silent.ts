import { orderLifecycle } from '@swath/contract/lifecycles.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { StuckWorkFilter, StuckWorkRow } from '../../../engine/stuck-work.ts'

/**
 * Open orders whose host has not answered for long, oldest first. Those that wait for a decision of the customer are not among
 * them; a tasking order counts from the end of its acquisition window.
 */
export const listSilentOrders = (
  db: SqlStatementRunner,
  organization: string,
  filter: StuckWorkFilter,
): Promise<StuckWorkRow[]> =>
  db.query<StuckWorkRow>(sql`
    select organization_id, id, display_name as subject, 'host-silent' as reason,
      concat_ws(', ', status, sub_status) as detail, since
    from (
      select o.organization_id, o.id, o.display_name, o.status, o.sub_status,
        greatest(o.updated_at, acquisition.ends_at) as since
      from orders o
      left join lateral (
        select max((g.constraints ->> 'to')::timestamptz) as ends_at from tasking_groups g
        where g.organization_id = ${organization} and g.order_id = o.id and g.ended_at is null) acquisition on true
      where o.organization_id = ${organization} and not o.status = any(${[...orderLifecycle.terminal]}::text[]) and (${filter.id}::uuid is null or o.id = ${filter.id})
        and coalesce(o.sub_status, '') not in ('FEASIBILITY_WAITING_RESPONSE', 'QUOTATION_WAITING_RESPONSE')) waiting
    where since <= ${filter.before}
    order by since, id
    limit ${filter.limit}`)
