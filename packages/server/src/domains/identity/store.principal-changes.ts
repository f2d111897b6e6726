import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface PrincipalChangeRow {
  readonly id: string
  readonly subject: string
}

/** The channel of change notifications between processes; `listen` receives them on commit. */
export const principalChangesChannel = 'swath_principal_changes'

/**
 * Writes a change and notifies all processes on commit. NOTIFY serializes the commits of transactions that notify, which is
 * affordable for sign-outs and revocations.
 */
export async function insertPrincipalChange(tx: SqlStatementRunner, id: string, subject: string): Promise<void> {
  await tx.query(sql`
    with change as (insert into principal_changes (id, subject) values (${id}, ${subject}) returning subject)
    select pg_notify(${principalChangesChannel}, subject) from change`)
}

/** The changes of the last minute by the database clock: long enough for any transaction to become visible. */
export async function listRecentPrincipalChanges(db: SqlStatementRunner): Promise<PrincipalChangeRow[]> {
  return db.query<PrincipalChangeRow>(sql`
    select id, subject from principal_changes
    where changed_at > statement_timestamp() - interval '1 minute'
    order by changed_at, id`)
}

export async function deleteOldPrincipalChanges(db: SqlStatementRunner): Promise<void> {
  await db.query(sql`delete from principal_changes where changed_at < statement_timestamp() - interval '1 hour'`)
}
