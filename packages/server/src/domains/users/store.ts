import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { UserRow } from './user.ts'

export interface NewUser {
  readonly id: string
  readonly email: string
  readonly email_key: string
  readonly name: string | null
  readonly password_hash: string | null
  readonly password_temporary: boolean
  readonly organization_id: string | null
  readonly is_administrator: boolean
  readonly created_at: Date
}

const columns = sql`id, email, name, organization_id, created_at`

export async function findUser(db: SqlStatementRunner, user: string): Promise<UserRow | null> {
  const [row] = await db.query<UserRow>(sql`select ${columns} from users where id = ${user}`)
  return row ?? null
}

export async function findUserByEmailKey(db: SqlStatementRunner, email_key: string): Promise<UserRow | null> {
  const [row] = await db.query<UserRow>(sql`select ${columns} from users where email_key = ${email_key}`)
  return row ?? null
}

/** The oldest active administrator with the organization that it joined first; null if none is in one. */
export async function findOldestAdministrator(
  db: SqlStatementRunner,
): Promise<{ readonly id: string; readonly organization_id: string } | null> {
  const [row] = await db.query<{ id: string; organization_id: string }>(sql`
    select u.id, coalesce(
      (select uo.organization_id from user_organizations uo where uo.user_id = u.id
       order by uo.joined_at, uo.organization_id limit 1), u.organization_id) as organization_id
    from users u
    where u.is_administrator and u.disabled_at is null and u.organization_id is not null
    order by u.created_at, u.id limit 1`)
  return row ?? null
}

/** False if the email is taken. */
export async function insertUser(tx: Tx, user: NewUser): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into users (id, email, email_key, name, password_hash, password_temporary, organization_id,
                       is_administrator, is_clip_user, created_at, updated_at)
    values (${user.id}, ${user.email}, ${user.email_key}, ${user.name}, ${user.password_hash},
            ${user.password_temporary}, ${user.organization_id}, ${user.is_administrator}, false,
            ${user.created_at}, ${user.created_at})
    on conflict (email_key) do nothing
    returning id`)
  return rows.length > 0
}

/** Replaces the password of a user by one that only the user knows. False if it was changed meanwhile. */
export async function updateOwnPassword(
  tx: Tx,
  user: string,
  { before, after }: { readonly before: string; readonly after: string },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update users set password_hash = ${after}, password_temporary = false, updated_at = ${now}
    where id = ${user} and password_hash = ${before}
    returning id`)
  return rows.length > 0
}
