import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import type { PlanName } from '../../platform/setting-types.ts'
import type { DelegationStopReason } from '@swath/contract/delegations.ts'
import { delegationStopReasonSql } from '../../platform/database/statements/creator-condition.ts'
import { sql } from '../../platform/database/sql.ts'
import type { StoredApiKey } from '../../platform/crypto/secrets.ts'

/** A user with the columns that sign-in and authentication need. */
export interface UserAuthRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly password_hash: string | null
  readonly is_administrator: boolean
  readonly is_clip_user: boolean
  readonly disabled_at: Date | null
  /** True for a password that another person than the user has seen. */
  readonly password_temporary: boolean
  /** Recorded for administrators only. */
  readonly first_sign_in_at: Date | null
  readonly organization_id: string | null
  readonly organization_status: string | null
  readonly plan: PlanName | null
  readonly role: OrganizationRole | null
}

/** An API key with the columns that authentication needs; `issuer` is the user who created it. */
export interface ApiKeyAuthRow {
  readonly id: string
  readonly organization_id: string
  readonly organization_status: string
  readonly plan: PlanName
  readonly name: string
  readonly last_four: string
  readonly issuer: string
  readonly permissions: readonly string[]
  /** Calls per minute; null if only the limit of the organization applies. */
  readonly rate_limit: number | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  /** The reason why it does not act for its issuer any more; null while it does. */
  readonly stop_reason: DelegationStopReason | null
}

const userColumns = sql`u.id, u.email, u.name, u.password_hash, u.is_administrator, u.is_clip_user, u.disabled_at,
  u.password_temporary, u.first_sign_in_at, u.organization_id`

/** The columns of a user row that a membership gives. */
type MembershipColumn = 'organization_id' | 'organization_status' | 'plan' | 'role'

type DirectoryUser<Row> = Omit<Row, Exclude<MembershipColumn, 'organization_id'>>

const noMembership = { organization_id: null, organization_status: null, plan: null, role: null } as const

/**
 * Adds the membership to a user of the directory. A membership counts only in the organization of the user row, so that
 * nobody is in two at once. Not a join with the directory: where tenant tables are distributed, it would read all of them.
 */
async function withMembership<Row extends UserAuthRow>(
  db: SqlStatementRunner,
  user: DirectoryUser<Row> | undefined,
): Promise<(DirectoryUser<Row> & Pick<UserAuthRow, MembershipColumn>) | null> {
  if (!user) return null
  if (user.organization_id === null) return { ...user, ...noMembership }
  const [membership] = await db.query<Pick<UserAuthRow, MembershipColumn>>(sql`
    select m.organization_id, o.status as organization_status, o.plan, m.role
    from memberships m left join organizations o on o.organization_id = m.organization_id
    where m.organization_id = ${user.organization_id} and m.user_id = ${user.id}`)
  return { ...user, ...(membership ?? noMembership) }
}

const keyColumns = sql`k.id, k.organization_id, o.status as organization_status, o.plan, k.name, k.last_four,
  k.created_by as issuer, k.permissions, k.rate_limit, k.expires_at, k.revoked_at,
  ${delegationStopReasonSql({ organization: sql`k.organization_id`, creator: sql`k.created_by::text` }, null)} as stop_reason`

/** `email_key` comes from `toEmailKey` in `users/users.ts`. */
export async function findUserAuthByEmailKey(db: SqlStatementRunner, email_key: string): Promise<UserAuthRow | null> {
  const [user] = await db.query<DirectoryUser<UserAuthRow>>(sql`
    select ${userColumns} from users u where u.email_key = ${email_key}`)
  return withMembership(db, user)
}

export async function findUserAuth(db: SqlStatementRunner, user: string): Promise<UserAuthRow | null> {
  const [row] = await db.query<DirectoryUser<UserAuthRow>>(sql`select ${userColumns} from users u where u.id = ${user}`)
  return withMembership(db, row)
}

/** The user of a session, with the session of the browser that it ends with. */
export interface SessionUserRow extends UserAuthRow {
  readonly browser_session_id: string | null
}

/** The user of an active session; null if it, or that of its browser, ended, was revoked or belongs to another user. */
export async function findUserAuthOfSession(
  db: SqlStatementRunner,
  session: string,
  user: string,
): Promise<SessionUserRow | null> {
  const [row] = await db.query<DirectoryUser<SessionUserRow>>(sql`
    select ${userColumns}, s.browser_session_id
    from sessions s left join sessions b on b.id = s.browser_session_id join users u on u.id = s.user_id
    where s.id = ${session} and s.user_id = ${user} and s.kind = 'human' and s.cookie_hash is null
      and s.revoked_at is null and b.revoked_at is null`)
  return withMembership<SessionUserRow>(db, row)
}

/** The API key of an active session; null if the session ended, was revoked or belongs to another key. */
export async function findApiKeyAuthOfSession(
  db: SqlStatementRunner,
  session: string,
  key: string,
): Promise<ApiKeyAuthRow | null> {
  const [row] = await db.query<{ organization_id: string }>(sql`
    select organization_id from sessions
    where id = ${session} and key_id = ${key} and kind = 'api_key' and revoked_at is null`)
  return row ? findApiKeyAuth(db, row.organization_id, key) : null
}

export async function findApiKeyAuth(
  db: SqlStatementRunner,
  organization: string,
  key: string,
): Promise<ApiKeyAuthRow | null> {
  const [row] = await db.query<ApiKeyAuthRow>(sql`
    select ${keyColumns}
    from api_keys k join organizations o on o.organization_id = k.organization_id
    where k.organization_id = ${organization} and k.id = ${key}`)
  return row ?? null
}

/** The API key with this secret; null if it has another one by the time it is read. */
export async function findApiKeyAuthByHash(
  db: SqlStatementRunner,
  { hash, last_four }: Pick<StoredApiKey, 'hash' | 'last_four'>,
): Promise<ApiKeyAuthRow | null> {
  const [row] = await db.query<{ organization_id: string; key_id: string }>(sql`
    select organization_id, key_id from api_key_directory where key_hash = ${hash}`)
  const key = row ? await findApiKeyAuth(db, row.organization_id, row.key_id) : null
  return key?.last_four === last_four ? key : null
}

/** The role of a user in an organization; null for a non-member. */
export async function findOrganizationRole(
  db: SqlStatementRunner,
  organization: string,
  user: string,
): Promise<OrganizationRole | null> {
  const [row] = await db.query<{ role: OrganizationRole }>(sql`
    select m.role from memberships m where m.organization_id = ${organization} and m.user_id = ${user}`)
  return row?.role ?? null
}

export interface ApiKeyUse {
  readonly key: string
  readonly at: Date
}

/** Writes the last-used times of keys of an organization; never moves one back. */
export async function updateApiKeyLastUsed(
  db: SqlStatementRunner,
  organization: string,
  uses: readonly ApiKeyUse[],
): Promise<void> {
  await db.query(sql`
    update api_keys k
    set last_used_at = greatest(k.last_used_at, used.at)
    from unnest(${uses.map((use) => use.key)}::uuid[], ${uses.map((use) => use.at.toISOString())}::timestamptz[])
      as used (id, at)
    where k.organization_id = ${organization} and k.id = used.id`)
}

/** Records a first sign-in; further ones change nothing. */
export async function updateUserFirstSignIn(db: SqlStatementRunner, user: string, at: Date): Promise<void> {
  await db.query(sql`update users set first_sign_in_at = ${at} where id = ${user} and first_sign_in_at is null`)
}

/** False as long as no administrator of the platform has signed in. */
export async function hasAdministratorSignedIn(db: SqlStatementRunner): Promise<boolean> {
  const rows = await db.query(sql`
    select id from users where is_administrator and first_sign_in_at is not null limit 1`)
  return rows.length > 0
}

/** Replaces a hash with outdated parameters. False if the hash changed meanwhile. */
export async function updatePasswordHash(
  db: SqlStatementRunner,
  user: string,
  before: string,
  after: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    update users set password_hash = ${after} where id = ${user} and password_hash = ${before} returning id`)
  return rows.length > 0
}

/** Keeps the password of a user as it is until the end of the transaction. False if it is another one by now. */
export async function lockPasswordHash(tx: Tx, user: string, password_hash: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from users where id = ${user} and password_hash = ${password_hash} for share`)
  return rows.length > 0
}
