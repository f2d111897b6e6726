import type { StuckWorkFilter, StuckWorkRow } from '../../engine/stuck-work.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** Reports that have expired long ago and whose files are not deleted, oldest first. */
export const listOverdueReports = (
  db: SqlStatementRunner,
  organization: string,
  filter: StuckWorkFilter,
): Promise<StuckWorkRow[]> =>
  db.query<StuckWorkRow>(sql`
    select organization_id, id, name as subject, 'cleaning-overdue' as reason, null as detail, expires_at as since
    from reports
    where organization_id = ${organization} and expires_at <= ${filter.before} and (${filter.id}::uuid is null or id = ${filter.id})
    order by expires_at, id
    limit ${filter.limit}`)
