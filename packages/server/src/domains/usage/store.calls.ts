import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

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
export async function addCallCounts(
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

/** The stored counts from one day to another (`YYYY-MM-DD`, both inclusive). */
export const listCallCounts = (
  db: Queryable,
  organization: string,
  from: string,
  to: string,
): Promise<CallCountRow[]> =>
  db.query(sql`
    select to_char(day, 'YYYY-MM-DD') as day, operation, caller_kind, caller_id, calls, failed, duration_ms
    from usage_counts
    where organization_id = ${organization} and day between ${from}::date and ${to}::date
    order by usage_counts.day, operation, caller_kind, caller_id`)
