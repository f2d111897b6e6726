import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** An event of the processor. The organization is that of the object that it names. */
export interface PaymentEventRow {
  readonly id: string
  readonly type: string
  readonly object_id: string
  readonly data: Readonly<Record<string, string | number>>
  readonly created_at: Date
}

/** Returns false for a duplicate. */
export async function insertPaymentEvent(across: Tx, row: PaymentEventRow, at: Date): Promise<boolean> {
  const rows = await across.query(sql`
    insert into payment_events (id, type, object_id, data, created_at, received_at)
    values (${row.id}, ${row.type}, ${row.object_id}, ${sql.json(row.data)}, ${row.created_at}, ${at})
    on conflict (id) do nothing returning id`)
  return rows.length > 0
}

/** Returns null if the event is unknown or already applied. */
export async function findUnappliedPaymentEvent(
  across: SqlStatementRunner,
  id: string,
): Promise<PaymentEventRow | null> {
  const [row] = await across.query<PaymentEventRow>(sql`
    select id, type, object_id, data, created_at from payment_events where id = ${id} and applied_at is null`)
  return row ?? null
}

export async function markPaymentEventApplied(across: SqlStatementRunner, id: string, at: Date): Promise<void> {
  await across.query(sql`update payment_events set applied_at = ${at} where id = ${id}`)
}
