import type { Tx } from './database.ts'
import { sql } from './sql.ts'

/** Makes other transactions that lock the name wait until this one ends. */
export async function acquireAdvisoryLock(tx: Tx, name: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}::text, 0))`)
}
