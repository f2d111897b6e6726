import type { Queryable, Tx } from '../../platform/database/database.ts'
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

export async function insertDeadLetter(across: Queryable, row: DeadLetterRow): Promise<void> {
  await across.query(sql`
    insert into billing_dead_letters (id, kind, organization_id, data, attempts, last_error, created_at)
    values (${row.id}, ${row.kind}, ${row.organization_id}, ${sql.json(row.data)}, ${row.attempts}, ${row.last_error},
            ${row.created_at})`)
}

/** Dead letters that are not replayed, oldest first, and their total number. */
export async function selectPendingDeadLetters(
  across: Queryable,
  limit: number,
): Promise<{ letters: DeadLetterRow[]; total: number }> {
  const letters = await across.query<DeadLetterRow>(sql`
    select id, kind, organization_id, data, attempts, last_error, created_at from billing_dead_letters
    where replayed_at is null order by created_at, id limit ${limit}`)
  const [count] = await across.query<{ total: number }>(sql`
    select count(*) as total from billing_dead_letters where replayed_at is null`)
  return { letters, total: count?.total ?? 0 }
}

/** Returns false if another call has replayed it. */
export async function markDeadLetterReplayed(across: Tx, id: string, at: Date): Promise<boolean> {
  const rows = await across.query(sql`
    update billing_dead_letters set replayed_at = ${at} where id = ${id} and replayed_at is null returning id`)
  return rows.length > 0
}
