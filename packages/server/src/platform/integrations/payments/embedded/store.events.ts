import type { SqlStatementRunner, Tx } from '../../../database/database.ts'
import type { DueRowsQuery } from '../../../sandbox/due-rows.ts'
import { sql } from '../../../database/sql.ts'

export interface PaymentProcessorEventRow {
  readonly id: string
  /** The event as it is sent. */
  readonly body: unknown
  readonly attempts: number
  readonly created_at: Date
}

export async function insertPaymentProcessorEvent(
  tx: Tx,
  row: { readonly id: string; readonly body: unknown; readonly sandbox: string | null; readonly now: Date },
): Promise<void> {
  await tx.query(sql`
    insert into processor_events (id, body, sandbox_id, next_at, created_at)
    values (${row.id}, ${sql.json(row.body)}, ${row.sandbox}, ${row.now}, ${row.now})`)
}

/** Due events of a sandbox organization or, if it is null, of all others. */
export async function listDuePaymentProcessorEvents(
  db: SqlStatementRunner,
  sandbox: string | null,
  now: Date,
  limit: number,
): Promise<PaymentProcessorEventRow[]> {
  const owner = sandbox === null ? sql`sandbox_id is null` : sql`sandbox_id = ${sandbox}`
  return db.query<PaymentProcessorEventRow>(sql`
    select id, body, attempts, created_at from processor_events
    where next_at <= ${now} and ${owner} order by next_at, id limit ${limit}`)
}

/** The rows of work of the processor that is due for a sandbox organization. */
export const duePaymentProcessorRows = (sandbox: string): readonly DueRowsQuery[] => [
  { from: sql`processor_events`, where: sql`sandbox_id = ${sandbox}`, at: sql`next_at` },
  {
    from: sql`processor_intents`,
    where: sql`organization_id = ${sandbox} and status = 'requires_capture'`,
    at: sql`capture_before`,
    has_shared_index: true,
  },
]

/** Records one more attempt; null: there will be no further one. */
export async function updatePaymentProcessorEventSchedule(
  db: SqlStatementRunner,
  id: string,
  next_at: Date | null,
): Promise<void> {
  await db.query(sql`update processor_events set attempts = attempts + 1, next_at = ${next_at} where id = ${id}`)
}

/** Makes every event due again. */
export async function updateAllPaymentProcessorEventSchedules(db: SqlStatementRunner, now: Date): Promise<void> {
  await db.query(sql`update processor_events set next_at = ${now}`)
}

export async function deleteOldPaymentProcessorEvents(tx: Tx, before: Date): Promise<void> {
  await tx.query(sql`delete from processor_events where created_at <= ${before} and next_at is null`)
}
