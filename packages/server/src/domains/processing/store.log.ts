import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'

export interface JobLogRow {
  readonly at: Date
  readonly level: 'info' | 'warning' | 'error'
  readonly message: string
}

export async function insertJobLogEntry(
  db: SqlStatementRunner,
  organization: string,
  job: string,
  entry: { readonly at: OrganizationTime; readonly level: JobLogRow['level']; readonly message: string },
): Promise<void> {
  await db.query(sql`
    insert into processing_job_log (organization_id, job_id, id, at, level, message)
    values (${organization}, ${job}, ${newId()}, ${entry.at}, ${entry.level}, ${entry.message})`)
}

export const listJobLogEntries = (
  db: SqlStatementRunner,
  organization: string,
  job: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<RowPage<JobLogRow>> =>
  selectPage(db, {
    columns: sql`at, level, message`,
    from: sql`processing_job_log`,
    where: sql`organization_id = ${organization} and job_id = ${job}`,
    orderBy: sql`id`,
    limit,
    offset,
  })
