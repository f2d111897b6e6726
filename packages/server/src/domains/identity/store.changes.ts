import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface ChangeRow {
  readonly id: string
  readonly subject: string
}

/** Where processes tell each other of changes; `listen` hears them as soon as they are committed. */
export const changesChannel = 'swath_principal_changes'

/**
 * Writes a change and notifies every process of it at the commit. NOTIFY makes the commits of transactions that notify wait for each
 * other, which is affordable here: these are sign-outs and revocations, not calls.
 */
export async function insertChange(tx: Queryable, id: string, subject: string): Promise<void> {
  await tx.query(sql`
    with change as (insert into principal_changes (id, subject) values (${id}, ${subject}) returning subject)
    select pg_notify(${changesChannel}, subject) from change`)
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
