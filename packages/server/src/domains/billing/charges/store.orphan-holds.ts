import { jobLifecycle, orderLifecycle } from '@swath/contract/lifecycles.ts'
import type { StuckWorkFilter } from '../../../engine/stuck-work.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** An unresolved hold of an order or a job that has ended or does not exist. */
export interface OrphanHoldRow {
  readonly id: string
  readonly organization_id: string
  readonly reference_type: 'order' | 'job'
  readonly reference_id: string
  readonly amount_credits: number
  readonly created_at: Date
}

/** Orphan holds of orders, of jobs or of both, oldest first. */
export const listOrphanHoldRows = (
  db: SqlStatementRunner,
  organization: string,
  filter: StuckWorkFilter & { readonly reference_type: OrphanHoldRow['reference_type'] | null },
): Promise<OrphanHoldRow[]> =>
  db.query<OrphanHoldRow>(sql`
    select h.id, h.organization_id, h.reference_type, h.reference_id, h.amount_credits, h.created_at
    from credit_holds h
    left join credit_hold_resolutions r on r.organization_id = ${organization} and r.hold_id = h.id
    left join orders o on o.organization_id = ${organization} and o.hold_id = h.id
      and not o.status = any(${[...orderLifecycle.terminal]}::text[])
    left join processing_jobs j on j.organization_id = ${organization} and j.hold_id = h.id
      and not j.status = any(${[...jobLifecycle.terminal]}::text[])
    where h.organization_id = ${organization} and r.hold_id is null and o.id is null and j.id is null and h.reference_type in ('order', 'job')
      and (${filter.reference_type}::text is null or h.reference_type = ${filter.reference_type})
      and (${filter.id}::uuid is null or h.id = ${filter.id})
      and h.created_at <= ${filter.before}
    order by h.created_at, h.id
    limit ${filter.limit}`)
