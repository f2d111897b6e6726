import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { AccountMailKind } from './mail-texts.ts'

/** An e-mail to a person about the account, with the link in it if it has one. */
export interface AccountMailRow {
  readonly id: string
  readonly kind: AccountMailKind
  /** Null for a password reset until the task has found the user of the address. */
  readonly user_id: string | null
  readonly email: string
  /** The change of the e-mail address that it is about; null for any other kind. */
  readonly subject_id: string | null
  /** What its text says, such as the name of a passkey. */
  readonly details: Readonly<Record<string, string>>
  readonly created_at: Date
  /** The end of the link. */
  readonly expires_at: Date
  readonly sent_at: Date | null
  /** When its link was used, or made useless. */
  readonly used_at: Date | null
}

const columns = sql`id, kind, user_id, email, subject_id, details, created_at, expires_at, sent_at, used_at`

export async function insertAccountMail(tx: Tx, row: Omit<AccountMailRow, 'sent_at' | 'used_at'>): Promise<void> {
  await tx.query(sql`
    insert into account_mails (id, kind, user_id, email, subject_id, details, created_at, expires_at)
    values (${row.id}, ${row.kind}, ${row.user_id}, ${row.email}, ${row.subject_id}, ${sql.json(row.details)},
            ${row.created_at}, ${row.expires_at})`)
}

export async function findAccountMail(db: SqlStatementRunner, id: string): Promise<AccountMailRow | null> {
  const [row] = await db.query<AccountMailRow>(sql`select ${columns} from account_mails where id = ${id}`)
  return row ?? null
}

export async function findAccountMailByToken(
  db: SqlStatementRunner,
  token_hash: string,
): Promise<AccountMailRow | null> {
  const [row] = await db.query<AccountMailRow>(sql`
    select ${columns} from account_mails where token_hash = ${token_hash}`)
  return row ?? null
}

/** The same with a row lock: of two uses of a link at once the second one sees the first. */
export async function lockAccountMailByToken(tx: Tx, token_hash: string): Promise<AccountMailRow | null> {
  const [row] = await tx.query<AccountMailRow>(sql`
    select ${columns} from account_mails where token_hash = ${token_hash} for update`)
  return row ?? null
}

/** Gives the link of an e-mail that was not sent its token. False if it is not wanted any more. */
export async function updateAccountMailToken(
  db: SqlStatementRunner,
  id: string,
  { token_hash, user_id }: { readonly token_hash: string | null; readonly user_id: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    update account_mails set token_hash = ${token_hash}, user_id = ${user_id}
    where id = ${id} and sent_at is null and used_at is null
    returning id`)
  return rows.length > 0
}

export async function markAccountMailSent(db: SqlStatementRunner, id: string, at: Date): Promise<void> {
  await db.query(sql`update account_mails set sent_at = ${at} where id = ${id} and sent_at is null`)
}

/** Uses the link of an e-mail, or makes it useless. */
export async function markAccountMailUsed(db: SqlStatementRunner, id: string, at: Date): Promise<void> {
  await db.query(sql`update account_mails set used_at = ${at} where id = ${id} and used_at is null`)
}

/** Makes the links of one kind to a user useless. */
export async function markAccountLinksUsed(tx: Tx, user: string, kind: AccountMailKind, at: Date): Promise<void> {
  await tx.query(sql`
    update account_mails set used_at = ${at} where user_id = ${user} and kind = ${kind} and used_at is null`)
}

export async function deleteAccountMailsOfUser(tx: Tx, user: string): Promise<void> {
  await tx.query(sql`delete from account_mails where user_id = ${user}`)
}

/** Deletes the e-mails whose links expired before a time. */
export async function deleteAccountMailsBefore(db: SqlStatementRunner, time: Date): Promise<void> {
  await db.query(sql`delete from account_mails where expires_at < ${time}`)
}
