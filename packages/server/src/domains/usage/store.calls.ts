import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

/** Calls of one caller of one operation on one day, to be added to the stored row. */
export interface CallCountRow {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly operation: string
  readonly caller_kind: string
  readonly caller_id: string
  calls: number
  failed: number
  duration_ms: number
}

const batch_size = 500

const keyOf = ({ day, operation, caller_kind, caller_id }: CallCountRow): string =>
  [day, operation, caller_kind, caller_id].join('\0')

/**
 * Adds to the stored counts; rows must be unique by day, operation and caller. Rows are locked in the order of their keys, so
 * that two processes which add to the same ones wait for each other instead of both.
 */
export async function upsertCallCounts(
  tx: Tx,
  organization: string,
  rows: readonly CallCountRow[],
  at: OrganizationTime,
): Promise<void> {
  const sorted = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  for (let from = 0; from < sorted.length; from += batch_size) {
    const values = sorted.slice(from, from + batch_size).map(
      (row) => sql`(${organization}::uuid, ${row.day}::date, ${row.operation}, ${row.caller_kind}, ${row.caller_id},
        ${row.calls}::bigint, ${row.failed}::bigint, ${Math.round(row.duration_ms)}::bigint, ${at}::timestamptz)`,
    )
    await tx.query(sql`
      insert into usage_counts as known
        (organization_id, day, operation, caller_kind, caller_id, calls, failed, duration_ms, updated_at)
      values ${sql.join(values, sql`, `)}
      on conflict (organization_id, day, operation, caller_kind, caller_id) do update
      set calls = known.calls + excluded.calls, failed = known.failed + excluded.failed,
          duration_ms = known.duration_ms + excluded.duration_ms, updated_at = excluded.updated_at`)
  }
}

/** Days, `YYYY-MM-DD`, both inclusive. */
export interface DayRange {
  readonly first: string
  readonly last: string
}

/** Sums of the calls of a group. */
export interface CallSums {
  readonly call_count: number
  readonly failed_call_count: number
  /** Calls of operations whose answer is a map tile. */
  readonly tile_count: number
  readonly compute_ms: number
}

const sums = sql`
  sum(calls)::bigint as call_count, sum(failed)::bigint as failed_call_count,
  coalesce(sum(calls) filter (
    where operation = 'stac.collections.tile' or operation ~ ${String.raw`\.tile\.(render|terrain|vector|wmts_get_tile)$`}
  ), 0)::bigint as tile_count, sum(duration_ms)::bigint as compute_ms`

const inRange = (organization: string, { first, last }: DayRange): Sql =>
  sql`organization_id = ${organization} and day between ${first}::date and ${last}::date`

/** The calls of each month, `YYYY-MM`, that has some. */
export const sumCallsByMonth = (
  db: SqlStatementRunner,
  organization: string,
  days: DayRange,
): Promise<(CallSums & { readonly period: string })[]> =>
  db.query(sql`
    select to_char(day, 'YYYY-MM') as period, ${sums} from usage_counts
    where ${inRange(organization, days)} group by 1`)

/** The calls of each day that has some, in order. */
export const sumCallsByDay = (
  db: SqlStatementRunner,
  organization: string,
  days: DayRange,
): Promise<(CallSums & { readonly day: string })[]> =>
  db.query(sql`
    select to_char(day, 'YYYY-MM-DD') as day, ${sums} from usage_counts
    where ${inRange(organization, days)} group by usage_counts.day order by usage_counts.day`)

export const sumCallsByOperation = (
  db: SqlStatementRunner,
  organization: string,
  days: DayRange,
): Promise<(CallSums & { readonly operation: string })[]> =>
  db.query(sql`
    select operation, ${sums} from usage_counts
    where ${inRange(organization, days)} group by operation order by operation`)

/** One page of the operations that were called, those with the most calls first. */
export const listCallsByOperation = (
  db: SqlStatementRunner,
  organization: string,
  days: DayRange,
  paging: { readonly limit: number; readonly offset?: number },
): Promise<RowPage<CallSums & { readonly operation: string }>> =>
  selectPage(db, {
    columns: sql`operation, call_count, failed_call_count, tile_count, compute_ms`,
    from: sql`(
      select operation, ${sums} from usage_counts
      where ${inRange(organization, days)} group by operation) as called`,
    where: sql`call_count > 0`,
    orderBy: sql`call_count desc, operation`,
    ...paging,
  })

export interface CountedCaller {
  readonly caller_kind: string
  readonly caller_id: string
}

const max_callers = 100

/** The calls of one caller, or of the 100 callers with the most. */
export const sumCallsByCaller = (
  db: SqlStatementRunner,
  organization: string,
  days: DayRange,
  only: CountedCaller | null,
): Promise<(CallSums & { readonly kind: string; readonly id: string })[]> => {
  const filter = only ? sql`and caller_kind = ${only.caller_kind} and caller_id = ${only.caller_id}` : sql.empty
  return db.query(sql`
    select caller_kind as kind, caller_id as id, ${sums} from usage_counts
    where ${inRange(organization, days)} ${filter}
    group by caller_kind, caller_id
    order by call_count desc, kind, id limit ${max_callers}`)
}
