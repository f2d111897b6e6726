import type { Tx } from '../database.ts'
import { sql } from '../sql.ts'

/**
 * Runs the statements of `work` with a timeout of their own, after which PostgreSQL ends them and the transaction fails. Nothing ends
 * a statement of the embedded engine.
 */
export async function withStatementTimeout<T>(tx: Tx, timeout_ms: number, work: () => Promise<T>): Promise<T> {
  const [row] = await tx.query<{ previous: string }>(sql`select current_setting('statement_timeout') as previous`)
  await setTimeout(tx, String(timeout_ms))
  const result = await work()
  // Not after an error, which has ended the transaction and its settings.
  await setTimeout(tx, row!.previous)
  return result
}

const setTimeout = (tx: Tx, value: string): Promise<unknown> =>
  tx.query(sql`select set_config('statement_timeout', ${value}, true)`)
