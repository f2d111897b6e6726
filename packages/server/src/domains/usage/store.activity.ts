import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

interface Interval {
  readonly from: Date
  readonly to: Date
}

const periodOf = (time: Sql): Sql => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM')`

export interface MonthlyEventCount {
  /** A month, `YYYY-MM`, in UTC. */
  readonly period: string
  readonly kind: string
  readonly count: number
}

/**
 * Events of some kinds in each month of an interval, the end not included, with those of dropped days. Of these only
 * the number on each UTC day is stored, so the result is exact for an interval that begins and ends at midnight in UTC,
 * such as whole months: a dropped day counts if it begins in the interval.
 */
export const countEventsByMonth = (
  db: SqlStatementRunner,
  organization: string,
  kinds: readonly string[],
  { from: start, to: end }: Interval,
): Promise<MonthlyEventCount[]> =>
  db.query<MonthlyEventCount>(
    sql.generic(sql`
    select period, kind, sum(count)::bigint as count from (
      select ${periodOf(sql`created_at`)} as period, kind, count(*) as count from events
      where organization_id = ${organization} and kind = any(${[...kinds]}::text[])
        and created_at >= ${start}::timestamptz and created_at < ${end}::timestamptz
      group by 1, 2
      union all
      select to_char(day, 'YYYY-MM'), kind, count from event_counts
      where organization_id = ${organization} and kind = any(${[...kinds]}::text[])
        and day::timestamp >= ${start}::timestamptz at time zone 'UTC' and day::timestamp < ${end}::timestamptz at time zone 'UTC') as counted
    group by period, kind`),
  )

/**
 * Credits that the platform has earned from an organization in each month of an interval, less refunds; at least zero.
 * Entries of tax are left out: they move the GST that a charge contains, and the organization has paid the whole
 * charge.
 *
 * @param projects only for orders and jobs of these projects, by their holds; null for everything.
 */
export const sumRevenueByMonth = (
  db: SqlStatementRunner,
  organization: string,
  { from, to }: Interval,
  projects: readonly string[] | null,
): Promise<{ readonly period: string; readonly credits: number }[]> => {
  const isVisible =
    projects === null
      ? sql`true`
      : sql`(
          exists (
            select 1 from orders o
            where o.organization_id = ${organization} and o.hold_id = e.hold_id
              and o.project_id = any(${[...projects]}::uuid[]))
          or exists (
            select 1 from processing_jobs j
            where j.organization_id = ${organization} and j.hold_id = e.hold_id
              and j.project_id = any(${[...projects]}::uuid[])))`
  return db.query(sql`
    select ${periodOf(sql`e.created_at`)} as period, greatest(0, sum(p.amount_credits))::bigint as credits
    from journal_entries e
    join journal_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
    where e.organization_id = ${organization} and p.account = 'revenue' and e.kind <> 'tax'
      and e.created_at >= ${from} and e.created_at < ${to} and ${isVisible}
    group by 1`)
}

/** Sets the stored total of file bytes to the sum of the storage journal; returns the sum. */
export async function updateStorageTotal(tx: Tx, organization: string): Promise<number> {
  const [row] = await tx.query<{ bytes: number }>(sql`
    select coalesce(sum(bytes_delta), 0)::bigint as bytes from storage_journal where organization_id = ${organization}`)
  const bytes = row?.bytes ?? 0
  await tx.query(sql`
    update storage_totals set file_bytes = ${bytes}::bigint where organization_id = ${organization}`)
  return bytes
}
