import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import type { DueRowsQuery } from '../../platform/sandbox/due-rows.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ReportFormat, ReportType } from './report-types.ts'

/** A file of a report in the blob store. */
export interface StoredReportFile {
  readonly format: ReportFormat
  readonly blob_path: string
  readonly media_type: string
  readonly size_bytes: number
  readonly checksum_sha256: string
}

export interface StoredReport {
  readonly id: string
  readonly user_id: string
  readonly name: string
  readonly report_type: ReportType
  readonly project_id: string | null
  readonly area_name: string | null
  readonly from_at: Date
  readonly to_at: Date
  readonly schedule_id: string | null
  /** Null while they are being made. */
  readonly files: readonly StoredReportFile[] | null
  readonly created_by: string
  readonly created_at: Date
  readonly expires_at: Date
}

const columns = sql`
  id, user_id, name, report_type, project_id, area_name, from_at, to_at, schedule_id, files, created_by, created_at, expires_at`

export async function insertReport(db: SqlStatementRunner, organization: string, row: StoredReport): Promise<void> {
  await db.query(sql`
    insert into reports
      (organization_id, id, user_id, name, report_type, project_id, area_name, from_at, to_at, schedule_id, created_by,
       created_at, expires_at)
    values (${organization}, ${row.id}, ${row.user_id}, ${row.name}, ${row.report_type}, ${row.project_id},
            ${row.area_name}, ${row.from_at}, ${row.to_at}, ${row.schedule_id}, ${row.created_by}, ${row.created_at},
            ${row.expires_at})`)
}

/** The report is complete with these files. */
export async function updateReportFiles(
  tx: Tx,
  organization: string,
  id: string,
  files: readonly StoredReportFile[],
): Promise<void> {
  await tx.query(sql`
    update reports set files = ${sql.json(files)} where organization_id = ${organization} and id = ${id}`)
}

/** A complete report of a user. */
export async function findReport(
  db: SqlStatementRunner,
  { organization, user, id }: { readonly organization: string; readonly user: string; readonly id: string },
): Promise<StoredReport | null> {
  const [row] = await db.query<StoredReport>(sql`
    select ${columns} from reports
    where organization_id = ${organization} and user_id = ${user} and id = ${id} and files is not null`)
  return row ?? null
}

export interface ReportListPage {
  readonly organization: string
  readonly user: string
  readonly limit: number
  readonly offset: number
}

/** The complete reports of a user, newest first. */
export const listReports = (db: SqlStatementRunner, page: ReportListPage): Promise<RowPage<StoredReport>> =>
  selectPage(db, {
    columns,
    from: sql`reports`,
    where: sql`organization_id = ${page.organization} and user_id = ${page.user} and files is not null`,
    orderBy: sql`created_at desc, id desc`,
    limit: page.limit,
    offset: page.offset,
  })

/** Returns the files that it had; none if it was not complete, or another call has deleted it. */
export async function deleteReportRow(tx: Tx, organization: string, id: string): Promise<readonly StoredReportFile[]> {
  const [row] = await tx.query<Pick<StoredReport, 'files'>>(sql`
    delete from reports where organization_id = ${organization} and id = ${id} returning files`)
  return row?.files ?? []
}

/** The paths of all files of reports. */
export async function listReportFilePaths(db: SqlStatementRunner, organization: string): Promise<string[]> {
  const rows = await db.query<{ path: string }>(sql`
    select f.blob_path as path from reports r
    cross join lateral jsonb_to_recordset(r.files) as f (blob_path text)
    where r.organization_id = ${organization} and r.files is not null`)
  return rows.map(({ path }) => path)
}

/** Ids of the reports that expired until a time, oldest first. */
export async function listExpiredReports(
  db: SqlStatementRunner,
  organization: string,
  now: OrganizationTime,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from reports where organization_id = ${organization} and expires_at <= ${now}
    order by expires_at, id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** The rows of reports that expire. */
export const dueReportRows = (organization: string): DueRowsQuery => ({
  from: sql`reports`,
  where: sql`organization_id = ${organization}`,
  at: sql`expires_at`,
})
