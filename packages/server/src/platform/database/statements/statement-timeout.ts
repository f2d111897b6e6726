import type { Tx } from '../database.ts'
import { sql } from '../sql.ts'

/**
 * Runs the statements of `work` with a timeout of their own, after which PostgreSQL ends them and the transaction fails. Nothing ends
 * a statement of the embedded engine.
 */
export async function withStatementTimeout<T>(tx: Tx, timeout_ms: number, work: () => Promise<T>): Promise<T> {
  const previous = await replaceStatementTimeout(tx, String(timeout_ms))
  const result = await work()
  // Not after an error, which has ended the transaction and its settings.
  await replaceStatementTimeout(tx, previous)
  return result
}

/** Sets the timeout until the transaction ends, and returns the previous one. */
async function replaceStatementTimeout(tx: Tx, value: string): Promise<string> {
  const [row] = await tx.query<{ previous: string }>(sql`
    with present as materialized (select current_setting('statement_timeout') as previous)
    select previous, set_config('statement_timeout', ${value}, true) from present`)
  return row!.previous
}
