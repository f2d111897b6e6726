import type { AccountLanguage } from '@swath/contract/schemas/people/account.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** A user with what the user chose for e-mails. */
export interface AccountRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly language: AccountLanguage
  readonly time_zone: string
  readonly is_administrator: boolean
  readonly has_password: boolean
  readonly disabled_at: Date | null
  readonly deleted_at: Date | null
  readonly created_at: Date
}

const columns = sql`id, email, name, coalesce(language, 'en') as language, coalesce(time_zone, 'UTC') as time_zone,
  is_administrator, password_hash is not null as has_password, disabled_at, deleted_at, created_at`

export async function findAccount(db: SqlStatementRunner, user: string): Promise<AccountRow | null> {
  const [row] = await db.query<AccountRow>(sql`select ${columns} from users where id = ${user}`)
  return row ?? null
}

export async function findAccountByEmail(db: SqlStatementRunner, email_key: string): Promise<AccountRow | null> {
  const [row] = await db.query<AccountRow>(sql`select ${columns} from users where email_key = ${email_key}`)
  return row ?? null
}

/** A change of an account; undefined fields are not changed. */
export interface AccountChange {
  readonly name?: string | null
  readonly language?: AccountLanguage
  readonly time_zone?: string
}

export async function updateAccount(
  tx: Tx,
  user: string,
  { name, language, time_zone }: AccountChange,
  at: Date,
): Promise<AccountRow | null> {
  const [row] = await tx.query<AccountRow>(sql`
    update users
    set name = case when ${name !== undefined} then ${name ?? null}::text else name end,
        language = coalesce(${language ?? null}::text, language),
        time_zone = coalesce(${time_zone ?? null}::text, time_zone), updated_at = ${at}
    where id = ${user} and deleted_at is null
    returning ${columns}`)
  return row ?? null
}

/** Replaces the e-mail; the caller finds out that nobody else has it. */
export async function updateAccountEmail(
  tx: Tx,
  user: string,
  { email, email_key, at }: { readonly email: string; readonly email_key: string; readonly at: Date },
): Promise<void> {
  await tx.query(sql`
    update users set email = ${email}, email_key = ${email_key}, updated_at = ${at} where id = ${user}`)
}

/** Replaces the password, whatever it was, by one that only the user knows. */
export async function updateAccountPassword(tx: Tx, user: string, password_hash: string, at: Date): Promise<void> {
  await tx.query(sql`
    update users set password_hash = ${password_hash}, password_temporary = false, updated_at = ${at}
    where id = ${user} and deleted_at is null`)
}

/** Takes from the row of a user everything that says who the user was; it cannot sign in any more. */
export async function markAccountDeleted(
  tx: Tx,
  user: string,
  { email, at }: { readonly email: string; readonly at: Date },
): Promise<void> {
  await tx.query(sql`
    update users
    set email = ${email}, email_key = ${email}, name = null, password_hash = null, password_temporary = false,
        organization_id = null, is_administrator = false, is_clip_user = false, language = null, time_zone = null,
        disabled_at = ${at}, deleted_at = ${at}, updated_at = ${at}
    where id = ${user}`)
}

/** Locks the operators of the platform who can sign in, in the order of their ids. */
export async function lockActiveAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from users where is_administrator and disabled_at is null order by id for update`)
  return rows.map(({ id }) => id)
}
