import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** The id of the newest hold for a reference; null if there is none. */
export async function findHoldIdByReference(
  db: SqlStatementRunner,
  organization: string,
  type: string,
  id: string,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from credit_holds
    where organization_id = ${organization} and reference_type = ${type} and reference_id = ${id}
    order by created_at desc, id desc limit 1`)
  return row?.id ?? null
}
