import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql } from '../../platform/database/sql.ts'

export interface DeadLetterRow {
  readonly id: string
  /** The task that failed. */
  readonly kind: string
  readonly organization_id: string | null
  readonly data: Readonly<Record<string, unknown>>
  readonly attempts: number
  readonly last_error: string
  readonly created_at: Date
}

export async function insertDeadLetter(across: SqlStatementRunner, row: DeadLetterRow): Promise<void> {
  await across.query(sql`
    insert into billing_dead_letters (id, kind, organization_id, data, attempts, last_error, created_at)
    values (${row.id}, ${row.kind}, ${row.organization_id}, ${sql.json(row.data)}, ${row.attempts}, ${row.last_error},
            ${row.created_at})`)
}

/** Dead letters that were neither replayed nor discarded, oldest first, and their total number. */
export const listPendingDeadLetterRows = (across: SqlStatementRunner, limit: number): Promise<RowPage<DeadLetterRow>> =>
  selectPage(across, {
    columns: sql`id, kind, organization_id, data, attempts, last_error, created_at`,
    from: sql`billing_dead_letters`,
    where: sql`replayed_at is null and discarded_at is null`,
    orderBy: sql`created_at, id`,
    limit,
  })

/** A dead letter that was neither replayed nor discarded. */
export async function findDeadLetter(across: SqlStatementRunner, id: string): Promise<DeadLetterRow | null> {
  const [row] = await across.query<DeadLetterRow>(sql`
    select id, kind, organization_id, data, attempts, last_error, created_at
    from billing_dead_letters where id = ${id} and replayed_at is null and discarded_at is null`)
  return row ?? null
}

/** Returns false if another call has replayed or discarded it. */
export async function markDeadLetterReplayed(across: Tx, id: string, at: Date): Promise<boolean> {
  const rows = await across.query(sql`
    update billing_dead_letters set replayed_at = ${at} where id = ${id} and replayed_at is null and discarded_at is null returning id`)
  return rows.length > 0
}

/** Returns false if another call has replayed or discarded it. */
export async function markDeadLetterDiscarded(across: SqlStatementRunner, id: string, at: Date): Promise<boolean> {
  const rows = await across.query(sql`
    update billing_dead_letters set discarded_at = ${at}
    where id = ${id} and replayed_at is null and discarded_at is null returning id`)
  return rows.length > 0
}
