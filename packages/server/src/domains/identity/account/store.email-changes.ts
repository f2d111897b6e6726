import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A change of the e-mail address of a user. */
export interface EmailChangeRow {
  readonly id: string
  readonly user_id: string
  readonly old_email: string
  readonly new_email: string
  readonly requested_at: Date
  readonly expires_at: Date
  readonly confirmed_at: Date | null
  readonly undone_at: Date | null
}

const columns = sql`id, user_id, old_email, new_email, requested_at, expires_at, confirmed_at, undone_at`

export async function insertEmailChange(
  tx: Tx,
  row: Omit<EmailChangeRow, 'confirmed_at' | 'undone_at'>,
): Promise<void> {
  await tx.query(sql`
    insert into email_changes (id, user_id, old_email, new_email, requested_at, expires_at)
    values (${row.id}, ${row.user_id}, ${row.old_email}, ${row.new_email}, ${row.requested_at}, ${row.expires_at})`)
}

export async function findEmailChange(db: SqlStatementRunner, id: string): Promise<EmailChangeRow | null> {
  const [row] = await db.query<EmailChangeRow>(sql`select ${columns} from email_changes where id = ${id}`)
  return row ?? null
}

export async function lockEmailChange(tx: Tx, id: string): Promise<EmailChangeRow | null> {
  const [row] = await tx.query<EmailChangeRow>(sql`select ${columns} from email_changes where id = ${id} for update`)
  return row ?? null
}

/** The changes of a user, newest first. */
export const listEmailChanges = (db: SqlStatementRunner, user: string): Promise<EmailChangeRow[]> =>
  db.query<EmailChangeRow>(sql`
    select ${columns} from email_changes where user_id = ${user} order by requested_at desc, id desc`)

export async function markEmailChangeConfirmed(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query(sql`update email_changes set confirmed_at = ${at} where id = ${id}`)
}

export async function markEmailChangeUndone(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query(sql`update email_changes set undone_at = ${at} where id = ${id}`)
}

/** Gives up the changes of a user that nobody confirmed. */
export async function markOpenEmailChangesUndone(tx: Tx, user: string, at: Date): Promise<void> {
  await tx.query(sql`
    update email_changes set undone_at = ${at}
    where user_id = ${user} and confirmed_at is null and undone_at is null`)
}

export async function deleteEmailChangesOfUser(tx: Tx, user: string): Promise<void> {
  await tx.query(sql`delete from email_changes where user_id = ${user}`)
}
