import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface ChangeRow {
  readonly id: string
  readonly subject: string
}

export async function insertChange(tx: Queryable, id: string, subject: string): Promise<void> {
  await tx.query(sql`insert into principal_changes (id, subject) values (${id}, ${subject})`)
}

/** Changes of the last minute by the database's own clock: long enough for any transaction to become visible. */
export async function listRecentChanges(db: Queryable): Promise<ChangeRow[]> {
  return db.query<ChangeRow>(sql`
    select id, subject from principal_changes
    where changed_at > statement_timestamp() - interval '1 minute'
    order by changed_at, id`)
}

export async function deleteOldChanges(db: Queryable): Promise<void> {
  await db.query(sql`delete from principal_changes where changed_at < statement_timestamp() - interval '1 hour'`)
}
