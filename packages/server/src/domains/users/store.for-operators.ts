import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql } from '../../platform/database/sql.ts'
import type { UserRow } from './user.ts'

/** A user as operators list them. */
export interface UserForOperatorRow extends UserRow {
  readonly is_administrator: boolean
  readonly is_clip_user: boolean
  readonly disabled_at: Date | null
  readonly deleted_at: Date | null
}

export interface UserFilter {
  readonly organization: string | null
  /** Part of the e-mail address, in any case. */
  readonly email: string | null
  readonly disabled: boolean | null
  readonly limit: number
  readonly offset: number
}

const columns = sql`id, email, name, organization_id, is_administrator, is_clip_user, disabled_at, deleted_at, created_at`

/** Users of the platform that match a filter, newest first. */
export const listUsers = (unscoped: SqlStatementRunner, filter: UserFilter): Promise<RowPage<UserForOperatorRow>> =>
  selectPage<UserForOperatorRow>(unscoped, {
    columns,
    from: sql`users`,
    where: sql`(${filter.organization}::uuid is null or organization_id = ${filter.organization} or exists (
        select 1 from user_organizations uo where uo.user_id = users.id and uo.organization_id = ${filter.organization}))
      and (${filter.email}::text is null or strpos(email_key, lower(${filter.email})) > 0)
      and (${filter.disabled}::boolean is null or (disabled_at is not null) = ${filter.disabled})`,
    orderBy: sql`created_at desc, id desc`,
    limit: filter.limit,
    offset: filter.offset,
  })

/** The organizations of users, in the order of joining. */
export const listOrganizationsOfUsers = (
  unscoped: SqlStatementRunner,
  users: readonly string[],
): Promise<{ readonly user_id: string; readonly organization_id: string }[]> =>
  unscoped.query(sql`
    select user_id, organization_id from user_organizations where user_id = any(${[...users]}::uuid[])
    order by joined_at, organization_id`)

/** A user as operators read one; null if there is none. */
export async function findUserForOperator(
  unscoped: SqlStatementRunner,
  user: string,
): Promise<UserForOperatorRow | null> {
  const [row] = await unscoped.query<UserForOperatorRow>(sql`select ${columns} from users where id = ${user}`)
  return row ?? null
}

/** Disables a user, or with null enables one; null if the user is in that state already. */
export async function updateUserDisabled(
  tx: Tx,
  user: string,
  { disabled_at, at }: { readonly disabled_at: Date | null; readonly at: Date },
): Promise<UserForOperatorRow | null> {
  const [row] = await tx.query<UserForOperatorRow>(sql`
    update users set disabled_at = ${disabled_at}, updated_at = ${at}
    where id = ${user} and deleted_at is null and (disabled_at is null) = ${disabled_at !== null}
    returning ${columns}`)
  return row ?? null
}

/** All operators, those who are disabled included; each row is locked, so that none of them loses the role meanwhile. */
export const lockOperators = (tx: Tx): Promise<UserForOperatorRow[]> =>
  tx.query<UserForOperatorRow>(sql`select ${columns} from users where is_administrator order by id for update`)

/** Sets the roles of a user on the platform. */
export async function updateUserRoles(
  tx: Tx,
  user: string,
  {
    is_administrator,
    is_clip_user,
    at,
  }: Pick<UserForOperatorRow, 'is_administrator' | 'is_clip_user'> & { readonly at: Date },
): Promise<void> {
  await tx.query(sql`
    update users set is_administrator = ${is_administrator}, is_clip_user = ${is_clip_user}, updated_at = ${at}
    where id = ${user}`)
}
