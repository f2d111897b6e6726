import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import type { DueRowsQuery } from '../../platform/sandbox/due-rows.ts'
import { sql } from '../../platform/database/sql.ts'

/** A file that an analysis wrote, which is stored until it expires. */
export interface AnalyticsResultRow {
  readonly id: string
  readonly method: string
  readonly blob_path: string
  readonly created_by: string
  readonly created_at: OrganizationTime
  readonly expires_at: OrganizationTime
}

export async function insertAnalyticsResult(tx: Tx, organization: string, row: AnalyticsResultRow): Promise<void> {
  await tx.query(sql`
    insert into analytics_results (organization_id, id, method, blob_path, created_by, created_at, expires_at)
    values (${organization}, ${row.id}, ${row.method}, ${row.blob_path}, ${row.created_by}, ${row.created_at},
            ${row.expires_at})`)
}

/** The results that expired until a time, oldest first. */
export const listExpiredAnalyticsResults = (
  db: SqlStatementRunner,
  organization: string,
  now: OrganizationTime,
  limit: number,
): Promise<Pick<AnalyticsResultRow, 'id' | 'blob_path'>[]> =>
  db.query(sql`
    select id, blob_path from analytics_results
    where organization_id = ${organization} and expires_at <= ${now}
    order by expires_at, id limit ${limit}`)

export async function deleteAnalyticsResult(tx: Tx, organization: string, id: string): Promise<void> {
  await tx.query(sql`delete from analytics_results where organization_id = ${organization} and id = ${id}`)
}

/** The rows of results that expire. */
export const dueAnalyticsResultRows = (organization: string): DueRowsQuery => ({
  from: sql`analytics_results`,
  where: sql`organization_id = ${organization}`,
  at: sql`expires_at`,
})
