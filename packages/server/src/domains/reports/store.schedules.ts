import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { acquireAdvisoryLock } from '../../platform/database/named-lock.ts'
import type { DelegationStopReason } from '@swath/contract/delegations.ts'
import { delegationStopReasonSql } from '../../platform/database/statements/creator-condition.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import type { DueRowsQuery } from '../../platform/sandbox/due-rows.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ReportFormat, ReportType } from './report-types.ts'
import type { ReportFrequency } from './report-times.ts'

export interface ReportScheduleRow {
  readonly id: string
  readonly user_id: string
  /** The API key with which its user created it, if any. */
  readonly created_by_key: string | null
  readonly name: string
  readonly report_type: ReportType
  readonly formats: readonly ReportFormat[]
  readonly project_id: string | null
  readonly area: AreaGeometry | null
  readonly area_name: string | null
  readonly frequency: ReportFrequency
  /** Null for a schedule that has ended. */
  readonly next_run_at: Date | null
  readonly last_run_at: Date | null
  readonly ended_reason: string | null
  readonly created_at: Date
}

const columns = sql`
  id, user_id, created_by_key, name, report_type, formats, project_id, area, area_name, frequency, next_run_at, last_run_at, ended_reason,
  created_at`

const stopReason = (now: OrganizationTime) =>
  delegationStopReasonSql(
    {
      organization: sql`s.organization_id`,
      creator: sql`coalesce(s.created_by_key, s.user_id)::text`,
      project: sql`s.project_id`,
    },
    now,
  )

export async function insertReportSchedule(tx: Tx, organization: string, row: ReportScheduleRow): Promise<void> {
  await tx.query(sql`
    insert into report_schedules
      (organization_id, id, user_id, created_by_key, name, report_type, formats, project_id, area, area_name, frequency, next_run_at,
       created_at)
    values (${organization}, ${row.id}, ${row.user_id}, ${row.created_by_key}, ${row.name}, ${row.report_type},
            ${row.formats}::text[], ${row.project_id}, ${row.area === null ? null : sql.json(row.area)}, ${row.area_name}, ${row.frequency}, ${row.next_run_at},
            ${row.created_at})`)
}

/** Other transactions that count wait until this one ends, so that two creations at once do not pass the limit. */
export async function lockAndCountReportSchedules(tx: Tx, organization: string, user: string): Promise<number> {
  await acquireAdvisoryLock(tx, `report schedules of ${user}`)
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from report_schedules where organization_id = ${organization} and user_id = ${user}`)
  return Number(row?.count ?? 0)
}

/** A schedule that is to run, with why it does not act for who created it any more; null while it does. */
export interface DueReportSchedule extends ReportScheduleRow {
  readonly stop_reason: DelegationStopReason | null
}

/** @param now for the expiry of the API key that created it. */
export async function findDueReportSchedule(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<DueReportSchedule | null> {
  const [row] = await db.query<DueReportSchedule>(sql`
    select ${columns}, ${stopReason(now)} as stop_reason from report_schedules s where s.organization_id = ${organization} and s.id = ${id}`)
  return row ?? null
}

interface SchedulePage {
  readonly organization: string
  readonly user: string
  readonly limit: number
  readonly offset: number
}

/** The schedules of a user, newest first. */
export const listReportSchedules = (db: SqlStatementRunner, page: SchedulePage): Promise<RowPage<ReportScheduleRow>> =>
  selectPage(db, {
    columns,
    from: sql`report_schedules`,
    where: sql`organization_id = ${page.organization} and user_id = ${page.user}`,
    orderBy: sql`created_at desc, id desc`,
    limit: page.limit,
    offset: page.offset,
  })

/** False if the user has no such schedule. */
export async function deleteReportSchedule(tx: Tx, organization: string, user: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from report_schedules where organization_id = ${organization} and user_id = ${user} and id = ${id} returning id`)
  return rows.length > 0
}

export async function listDueReportSchedules(
  db: SqlStatementRunner,
  organization: string,
  now: OrganizationTime,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from report_schedules where organization_id = ${organization} and next_run_at <= ${now}
    order by next_run_at, id`)
  return rows.map(({ id }) => id)
}

/** The rows of schedules that are due to run. */
export const dueReportScheduleRows = (organization: string): DueRowsQuery => ({
  from: sql`report_schedules`,
  where: sql`organization_id = ${organization}`,
  at: sql`next_run_at`,
})

/** Records a run; false if another process has recorded it, or the schedule was deleted. */
export async function updateReportScheduleRun(
  tx: Tx,
  organization: string,
  { id, next_run_at }: Pick<ReportScheduleRow, 'id' | 'next_run_at'>,
  { now, next }: { readonly now: OrganizationTime; readonly next: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update report_schedules set last_run_at = ${now}, next_run_at = ${next}
    where organization_id = ${organization} and id = ${id} and next_run_at = ${next_run_at}
    returning id`)
  return rows.length > 0
}

/** Ends a schedule for a reason that its user reads. */
export async function markReportScheduleEnded(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  reason: string,
): Promise<void> {
  await db.query(sql`
    update report_schedules set next_run_at = null, ended_reason = ${reason}
    where organization_id = ${organization} and id = ${id} and next_run_at is not null`)
}
