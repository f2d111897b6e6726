import { jobLifecycle } from '@swath/contract/lifecycles.ts'
import type { StuckWorkFilter, StuckWorkRow } from '../../../engine/stuck-work.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/**
 * Jobs that are not settled, because they have not ended: without a lease for long, or with one that ended long ago. Oldest
 * first.
 */
export const listUnsettledJobs = (
  db: SqlStatementRunner,
  organization: string,
  filter: StuckWorkFilter,
): Promise<StuckWorkRow[]> =>
  db.query<StuckWorkRow>(sql`
    select organization_id, id, process_id as subject, 'not-settled' as reason, status as detail,
      coalesce(lease_until, updated_at) as since
    from processing_jobs
    where organization_id = ${organization} and not status = any(${[...jobLifecycle.terminal]}::text[]) and (${filter.id}::uuid is null or id = ${filter.id})
      and coalesce(lease_until, updated_at) <= ${filter.before}
    order by since, id
    limit ${filter.limit}`)
