import type { OrganizationTime } from '../clock.ts'
import type { SqlStatementRunner } from '../database/database.ts'
import { sql, type Sql } from '../database/sql.ts'

/** Rows of one organization that fall due by time, as parts of the statement that queries all kinds of them at once. */
export interface DueRowsQuery {
  /** The table, with joins if the due time needs them. */
  readonly from: Sql
  /** The condition on its rows; names the organization. */
  readonly where: Sql
  /** A column of type timestamptz, or an expression; an index that begins with the organization makes it fast. */
  readonly at: Sql
  /**
   * True if the index on `at` is one for all organizations: without rows of this one it would be read to its end, so the rows
   * are found by their organization instead.
   */
  readonly has_shared_index?: boolean
  /** A row falls due so long after `at`; if negative, before it. */
  readonly delay_ms?: number
  /** The clock of a sandbox stops at multiples of this time only, so that rows of one step are done together. */
  readonly step_ms?: number
  /** False for rows that are only looked for when the clock stops for another reason, such as lost work. */
  readonly stops_clock?: boolean
}

export interface DueRowsStatus {
  /** True if one of the rows is due. */
  readonly is_due: boolean
  /** The earliest future due time at which the clock stops; null if there is none. */
  readonly next_at: Date | null
}

/**
 * Asks of several kinds of rows, in one statement, whether one is due at a time and when the next one will be. The answers are
 * in the order of the kinds.
 */
export async function findDueTimes(
  db: SqlStatementRunner,
  kinds: readonly DueRowsQuery[],
  now: OrganizationTime,
): Promise<readonly DueRowsStatus[]> {
  if (kinds.length === 0) return []
  const lookups = kinds.map((kind, index) => createLookups(kind, index, now))
  const rows = await db.query<{ kind: number; is_due: boolean; next_at: Date | null }>(
    sql.generic(sql`select kind, is_due, next_at from (values ${sql.join(lookups)}) as due (kind, is_due, next_at)`),
  )
  const found = new Map(rows.map(({ kind, is_due, next_at }) => [kind, { is_due, next_at }]))
  return kinds.map((kind, index) => {
    const { is_due = false, next_at = null } = found.get(index) ?? {}
    return { is_due, next_at: next_at && computeStop(kind, next_at) }
  })
}

/** With an index that is two lookups: the statement reads neither the other rows that are due nor the later ones. */
function createLookups(kind: DueRowsQuery, index: number, now: Date): Sql {
  const { delay_ms = 0, stops_clock = true, has_shared_index = false } = kind
  // `offset 0` keeps the planner from moving the comparison of times into the inner query.
  const { from, where, at } = has_shared_index
    ? {
        from: sql`(select ${kind.at} as due_at from ${kind.from} where ${kind.where} offset 0) due`,
        where: sql`true`,
        at: sql`due_at`,
      }
    : kind
  const column_now = new Date(now.getTime() - delay_ms)
  const next_at = stops_clock
    ? sql`(select min(${at}) from ${from} where ${where} and ${at} > ${column_now}::timestamptz)`
    : sql`null::timestamptz`
  return sql`
    (${sql.integer(index)}, exists (select 1 from ${from} where ${where} and ${at} <= ${column_now}::timestamptz), ${next_at})`
}

function computeStop({ delay_ms = 0, step_ms = 1 }: DueRowsQuery, next_at: Date): Date {
  return new Date(Math.ceil((next_at.getTime() + delay_ms) / step_ms) * step_ms)
}
