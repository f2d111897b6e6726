import type { Queryable } from '../../platform/database/database.ts'
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
