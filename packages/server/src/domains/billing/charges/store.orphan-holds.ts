import { jobLifecycle, orderLifecycle } from '@swath/contract/lifecycles.ts'
import type { StuckWorkFilter, StuckWorkRow } from '../../../engine/stuck-work.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** Unresolved holds of orders and jobs that have ended or do not exist, oldest first. */
export const listOrphanHolds = (
  db: Queryable,
  organization: string,
  filter: StuckWorkFilter,
): Promise<StuckWorkRow[]> =>
  db.query<StuckWorkRow>(sql`
    select h.organization_id, h.id, concat(h.reference_type, ' ', h.reference_id) as subject, 'not-settled' as reason,
      concat(h.amount_credits, ' credits') as detail, h.created_at as since
    from credit_holds h
    left join credit_hold_resolutions r on r.organization_id = ${organization} and r.hold_id = h.id
    left join orders o on o.organization_id = ${organization} and o.hold_id = h.id
      and not o.status = any(${[...orderLifecycle.terminal]}::text[])
    left join processing_jobs j on j.organization_id = ${organization} and j.hold_id = h.id
      and not j.status = any(${[...jobLifecycle.terminal]}::text[])
    where h.organization_id = ${organization} and r.hold_id is null and o.id is null and j.id is null and h.reference_type in ('order', 'job')
      and (${filter.id}::uuid is null or h.id = ${filter.id})
      and h.created_at <= ${filter.before}
    order by h.created_at, h.id
    limit ${filter.limit}`)
