import type { StuckWorkFilter, StuckWorkRow } from '../../../engine/stuck-work.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** Sessions that are open for long, and ingestions without activity for long; oldest first. */
export const listStuckUploads = (
  db: SqlStatementRunner,
  organization: string,
  filter: StuckWorkFilter,
): Promise<StuckWorkRow[]> =>
  db.query<StuckWorkRow>(sql`
    select organization_id, id, subject, reason, detail, since from (
      select organization_id, id, transfer_method as subject, 'open-too-long' as reason, status as detail,
        created_at as since
      from uploads
      where organization_id = ${organization} and expires_at is not null and created_at <= ${filter.before}
      union all
      select organization_id, id, transfer_method, 'stalled', status, updated_at
      from uploads
      where organization_id = ${organization} and status = 'ingesting' and updated_at <= ${filter.before}
    ) stuck
    where ${filter.id}::uuid is null or id = ${filter.id}
    order by since, id
    limit ${filter.limit}`)

/**
 * Ended sessions whose objects should have been removed before a time, oldest first. Their cleaning is due by the clock of the
 * process, as signed URLs are.
 */
export const listOverdueCleaningRows = (
  db: SqlStatementRunner,
  organization: string,
  filter: Omit<StuckWorkFilter, 'before'> & { readonly before: Date },
): Promise<StuckWorkRow[]> =>
  db.query<StuckWorkRow>(sql`
    select organization_id, id, transfer_method as subject, 'cleaning-overdue' as reason, status as detail, clean_at as since
    from uploads
    where organization_id = ${organization} and clean_at <= ${filter.before}
      and (${filter.id}::uuid is null or id = ${filter.id})
    order by clean_at, id
    limit ${filter.limit}`)
