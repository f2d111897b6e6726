import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { acquireAdvisoryLock } from '../../platform/database/named-lock.ts'
import { sql } from '../../platform/database/sql.ts'

export async function hasAnyUser(db: SqlStatementRunner): Promise<boolean> {
  const rows = await db.query(sql`select id from users limit 1`)
  return rows.length > 0
}

/** Serializes servers that start at once on one empty database. */
export const lockBootstrap = (tx: Tx): Promise<void> => acquireAdvisoryLock(tx, 'swath first start')
