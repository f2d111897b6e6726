import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { knownTime } from '../../platform/database/item-counts/unknown-time.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { ReportPeriod, ReportRow, ReportScope } from './report.ts'

/** Formats of `to_char`. */
export const periodDateFormats: Readonly<Record<ReportPeriod, Sql>> = { day: sql`'YYYY-MM-DD'`, month: sql`'YYYY-MM'` }

/** The period of a time in UTC, as `2030-01-31` or `2030-01`. */
const periodOf = (time: Sql, { period }: ReportScope): Sql =>
  sql`to_char(${time} at time zone 'UTC', ${periodDateFormats[period]})`

/** Orders by the day or month in which they were placed, with their credits as of now. */
export const listOrderSums = (db: SqlStatementRunner, scope: ReportScope): Promise<ReportRow[]> =>
  db.query<ReportRow>(sql`
    select ${periodOf(sql`o.created_at`, scope)} as period, o.project_id, o.type, o.status, count(*)::bigint as orders,
      sum(o.total_credits)::bigint as total_credits, sum(o.captured_credits)::bigint as captured_credits,
      sum(o.refunded_credits)::bigint as refunded_credits
    from orders o
    where o.organization_id = ${scope.organization} and o.project_id = any(${scope.projects}::uuid[])
      and o.created_at >= ${scope.from}::timestamptz and o.created_at < ${scope.to}::timestamptz
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`)

/** Settled charges by product. A charge belongs to the project of the order or job that its hold paid for. */
export const listSpendingSums = (db: SqlStatementRunner, scope: ReportScope): Promise<ReportRow[]> =>
  db.query<ReportRow>(sql`
    select ${periodOf(sql`s.settled_at`, scope)} as period, coalesce(o.project_id, j.project_id) as project_id, l.product,
      count(*)::bigint as charges, sum(s.amount_credits)::bigint as credits
    from charge_line_settlements s
    join charge_lines l on l.organization_id = s.organization_id and l.hold_id = s.hold_id and l.line = s.line
    left join orders o on o.organization_id = s.organization_id and o.hold_id = s.hold_id
    left join processing_jobs j on j.organization_id = s.organization_id and j.hold_id = s.hold_id
    where s.organization_id = ${scope.organization} and s.settled_at >= ${scope.from}::timestamptz and s.settled_at < ${scope.to}::timestamptz
      and (coalesce(o.project_id, j.project_id) = any(${scope.projects}::uuid[])
        or (${scope.withoutProject}::boolean and coalesce(o.project_id, j.project_id) is null))
    group by 1, 2, 3 order by 1, 2, 3`)

/** Processing jobs by the day or month in which they were created. */
export const listProcessingSums = (db: SqlStatementRunner, scope: ReportScope): Promise<ReportRow[]> =>
  db.query<ReportRow>(sql`
    select ${periodOf(sql`j.created_at`, scope)} as period, j.project_id, j.process_id, j.status, count(*)::bigint as jobs,
      sum(j.captured_credits)::bigint as captured_credits
    from processing_jobs j
    where j.organization_id = ${scope.organization} and j.project_id = any(${scope.projects}::uuid[])
      and j.created_at >= ${scope.from}::timestamptz and j.created_at < ${scope.to}::timestamptz
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`)

/** The items that exist now and were created before the end, with their files; the beginning does not matter. */
export const listInventoryItems = (db: SqlStatementRunner, scope: ReportScope): Promise<ReportRow[]> =>
  db.query<ReportRow>(sql`
    select i.project_id, i.collection_id, count(*)::bigint as items, sum(coalesce(f.assets, 0))::bigint as assets,
      sum(coalesce(f.file_bytes, 0))::bigint as file_bytes,
      to_char(min(${knownTime(sql`i.covers_from`)}) at time zone 'UTC', 'YYYY-MM-DD') as first_day,
      to_char(max(${knownTime(sql`i.covers_to`)}) at time zone 'UTC', 'YYYY-MM-DD') as last_day
    from items i
    left join (
      select a.item_id, count(*) as assets, sum(a.file_size_bytes) as file_bytes from assets a
      where a.organization_id = ${scope.organization} and a.deleted_at is null
      group by a.item_id) f on f.item_id = i.id
    where i.organization_id = ${scope.organization} and i.project_id = any(${scope.projects}::uuid[])
      and i.deleted_at is null and i.lifecycle_state <> 'expired' and i.created_at < ${scope.to}::timestamptz
    group by 1, 2 order by 1, 2`)
