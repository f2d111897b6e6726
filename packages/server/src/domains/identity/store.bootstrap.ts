import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export async function hasUsers(db: Queryable): Promise<boolean> {
  const rows = await db.query(sql`select id from users limit 1`)
  return rows.length > 0
}

/** Serializes servers that start at once on one empty database. */
export async function lockBootstrap(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('swath first start', 0))`)
}
