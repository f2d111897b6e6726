import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { SecondFactorRule } from '@swath/contract/schemas/people/account.ts'
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
  /** True if the user has an authenticator app that is turned on. */
  readonly has_totp: boolean
  readonly has_passkey: boolean
  readonly organization_id: string | null
  readonly organization_status: string | null
  readonly plan: PlanName | null
  readonly role: OrganizationRole | null
  /** The organization whose provider began the session, which is for that organization alone; absent or null for a password. */
  readonly provider_organization_id?: string | null
  /** Whether the organization wants members to sign in with a second factor; null without one. */
  readonly second_factor_rule: SecondFactorRule | null
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
  /** True for the rights of an OAuth client of the organization. */
  readonly of_client: boolean
  /** Calls per minute; null if only the limit of the organization applies. */
  readonly rate_limit: number | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  /** The reason why it does not act for its issuer any more; null while it does. */
  readonly stop_reason: DelegationStopReason | null
}

const userColumns = sql`u.id, u.email, u.name, u.password_hash, u.is_administrator, u.is_clip_user, u.disabled_at,
  u.password_temporary, u.first_sign_in_at,
  exists (select 1 from user_totp t where t.user_id = u.id and t.confirmed_at is not null) as has_totp,
  exists (select 1 from passkeys p where p.user_id = u.id) as has_passkey`

/** The columns of a user row that a membership gives. */
type MembershipColumn = 'organization_id' | 'organization_status' | 'plan' | 'role' | 'second_factor_rule'

type MembershipPart = Pick<UserAuthRow, MembershipColumn>

type DirectoryUser = Omit<UserAuthRow, MembershipColumn>

/** With the organization that the user chose last. */
type DirectoryUserWithDefault = DirectoryUser & { readonly default_organization_id: string | null }

const noMembership = {
  organization_id: null,
  organization_status: null,
  plan: null,
  role: null,
  second_factor_rule: null,
} as const

/** Not joined with the directory of users: where tenant tables are distributed, that would read all of them. */
async function findMembershipPart(db: SqlStatementRunner, organization: string, user: string): Promise<MembershipPart> {
  const [membership] = await db.query<MembershipPart>(sql`
    select m.organization_id, o.status as organization_status, o.plan, m.role, o.second_factor as second_factor_rule
    from memberships m left join organizations o on o.organization_id = m.organization_id
    where m.organization_id = ${organization} and m.user_id = ${user}`)
  return membership ?? noMembership
}

const isUsable = ({ organization_id, organization_status }: MembershipPart): boolean =>
  organization_id !== null && organization_status !== 'deleted'

/** The organizations of a user, in the order of joining; the default one also if the previous version has written only that. */
export async function listUserOrganizationIds(unscoped: SqlStatementRunner, user: string): Promise<string[]> {
  const rows = await unscoped.query<{ organization_id: string }>(sql`
    select organization_id from (
      select organization_id, joined_at from user_organizations where user_id = ${user}
      union all
      select u.organization_id, u.created_at from users u
      where u.id = ${user} and u.organization_id is not null and not exists (
        select 1 from user_organizations uo where uo.user_id = u.id and uo.organization_id = u.organization_id)
    ) organizations
    order by joined_at, organization_id`)
  return rows.map((row) => row.organization_id)
}

/**
 * Adds the membership in the organization that the user chose last or, if that is none any more, in the first one that the user
 * is in.
 */
async function withDefaultMembership<User extends DirectoryUserWithDefault>(
  db: SqlStatementRunner,
  user: User | undefined,
): Promise<(User & MembershipPart) | null> {
  if (!user) return null
  const { id, default_organization_id } = user
  if (default_organization_id === null) return { ...user, ...noMembership }
  const chosen = await findMembershipPart(db, default_organization_id, id)
  if (isUsable(chosen)) return { ...user, ...chosen }
  for (const organization of await listUserOrganizationIds(db, id)) {
    const other =
      organization === default_organization_id ? noMembership : await findMembershipPart(db, organization, id)
    if (isUsable(other)) return { ...user, ...other }
  }
  return { ...user, ...chosen }
}

const keyColumns = sql`k.id, k.organization_id, o.status as organization_status, o.plan, k.name, k.last_four,
  k.created_by as issuer, k.permissions, k.of_client, k.rate_limit, k.expires_at, k.revoked_at,
  ${delegationStopReasonSql({ organization: sql`k.organization_id`, creator: sql`k.created_by::text` }, null)} as stop_reason`

/** `email_key` comes from `toEmailKey` in `users/users.ts`. */
export async function findUserAuthByEmailKey(db: SqlStatementRunner, email_key: string): Promise<UserAuthRow | null> {
  const [user] = await db.query<DirectoryUserWithDefault>(sql`
    select ${userColumns}, u.organization_id as default_organization_id from users u where u.email_key = ${email_key}`)
  return withDefaultMembership(db, user)
}

/** A user in the organization that the user chose last. */
export async function findUserAuth(db: SqlStatementRunner, user: string): Promise<UserAuthRow | null> {
  const [row] = await db.query<DirectoryUserWithDefault>(sql`
    select ${userColumns}, u.organization_id as default_organization_id from users u where u.id = ${user}`)
  return withDefaultMembership(db, row)
}

/** A user in one organization; null for one who is not in it, or if it is deleted. */
export async function findUserAuthInOrganization(
  db: SqlStatementRunner,
  organization: string,
  user: string,
): Promise<UserAuthRow | null> {
  const [row] = await db.query<DirectoryUser>(sql`select ${userColumns} from users u where u.id = ${user}`)
  const membership = row ? await findMembershipPart(db, organization, user) : noMembership
  return row && isUsable(membership) ? { ...row, ...membership } : null
}

/** The user of a session in the organization of it, with the session of the browser that it ends with. */
export interface SessionUserRow extends UserAuthRow {
  readonly browser_session_id: string | null
  /** The client of the session; null for a sign-in by password or on a device of the platform. */
  readonly client_id: string | null
  /** The organization that the session names, although the user may have left it; null if it names none. */
  readonly session_organization_id: string | null
  /** How the user signed in (RFC 8176); null for a session of before. */
  readonly amr: readonly string[] | null
}

/**
 * The user of an active session; null if it, or that of its browser, ended, was revoked or belongs to another user. A session that
 * names no organization began before its user was in one.
 */
export async function findUserAuthOfSession(
  db: SqlStatementRunner,
  session: string,
  user: string,
): Promise<SessionUserRow | null> {
  type Row = Omit<SessionUserRow, MembershipColumn> & DirectoryUserWithDefault
  const [row] = await db.query<Row>(sql`
    select ${userColumns}, u.organization_id as default_organization_id, s.browser_session_id, s.client_id,
      s.organization_id as session_organization_id, s.provider_organization_id, s.amr
    from sessions s left join sessions b on b.id = s.browser_session_id join users u on u.id = s.user_id
    where s.id = ${session} and s.user_id = ${user} and s.kind = 'human' and s.cookie_hash is null
      and s.revoked_at is null and b.revoked_at is null`)
  if (!row || row.session_organization_id === null) return withDefaultMembership(db, row)
  return { ...row, ...(await findMembershipPart(db, row.session_organization_id, row.id)) }
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
  readonly id: string
  readonly at: Date
  /** Null if somebody else presented the key. */
  readonly address: string | null
}

/** Writes the last uses of keys of an organization; never moves a time back. */
export async function updateApiKeyLastUsed(
  db: SqlStatementRunner,
  organization: string,
  uses: readonly ApiKeyUse[],
): Promise<void> {
  await db.query(sql`
    update api_keys k
    set last_used_at = greatest(k.last_used_at, used.at), last_used_address = coalesce(used.address, k.last_used_address)
    from unnest(${uses.map((use) => use.id)}::uuid[], ${uses.map((use) => use.at.toISOString())}::timestamptz[],
                ${uses.map((use) => use.address)}::text[]) as used (id, at, address)
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
