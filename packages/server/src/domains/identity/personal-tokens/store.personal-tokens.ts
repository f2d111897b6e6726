import type { OrganizationCurrentTimes, OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { dueCondition } from '../../../platform/database/due-condition.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import { sql } from '../../../platform/database/sql.ts'

export interface PersonalTokenRow {
  readonly id: string
  readonly organization_id: string
  readonly user_id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly expires_at: Date
  readonly revoked_at: Date | null
  /** True if the provider of the organization signed the user in who made it. */
  readonly by_provider: boolean
  readonly last_used_at: Date | null
  readonly last_used_address: string | null
  readonly created_at: Date
}

/** A token with its user, if the user is still a member. */
export interface MemberTokenRow extends PersonalTokenRow {
  readonly user_email: string | null
  readonly user_name: string | null
}

const columns = sql`t.id, t.organization_id, t.user_id, t.name, t.prefix, t.scopes, t.expires_at, t.revoked_at, t.by_provider,
  t.last_used_at, t.last_used_address, t.created_at`

/** Inserts a token and its hash in the directory; needs the unscoped connection. */
export async function insertPersonalToken(tx: Tx, token: PersonalTokenRow, hash: string): Promise<void> {
  await tx.query(sql`
    insert into personal_tokens (organization_id, id, user_id, name, prefix, scopes, expires_at, by_provider,
                                 created_at)
    values (${token.organization_id}, ${token.id}, ${token.user_id}, ${token.name}, ${token.prefix}, ${[...token.scopes]},
            ${token.expires_at}, ${token.by_provider}, ${token.created_at})`)
  await tx.query(sql`
    insert into personal_token_directory (token_hash, organization_id, token_id)
    values (${hash}, ${token.organization_id}, ${token.id})`)
}

/** Null for an unknown hash; needs the unscoped connection. */
export async function findPersonalTokenByHash(db: SqlStatementRunner, hash: string): Promise<PersonalTokenRow | null> {
  const [found] = await db.query<{ organization_id: string; token_id: string }>(sql`
    select organization_id, token_id from personal_token_directory where token_hash = ${hash}`)
  return found ? findPersonalToken(db, found.organization_id, found.token_id) : null
}

export async function findPersonalToken(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<PersonalTokenRow | null> {
  const [row] = await db.query<PersonalTokenRow>(sql`
    select ${columns} from personal_tokens t where t.organization_id = ${organization} and t.id = ${id}`)
  return row ?? null
}

export const listPersonalTokensOfUser = (
  db: SqlStatementRunner,
  organization: string,
  user: string,
): Promise<PersonalTokenRow[]> =>
  db.query<PersonalTokenRow>(sql`
    select ${columns} from personal_tokens t
    where t.organization_id = ${organization} and t.user_id = ${user}
    order by t.created_at desc, t.id desc`)

/** @param filter.user null for those of all users. */
export const listPersonalTokens = (
  db: SqlStatementRunner,
  organization: string,
  { user, limit, offset }: { readonly user: string | null; readonly limit: number; readonly offset: number },
): Promise<RowPage<MemberTokenRow>> =>
  selectPage<MemberTokenRow>(db, {
    columns: sql`${columns}, m.email as user_email, m.name as user_name`,
    from: sql`personal_tokens t
      left join memberships m on m.organization_id = t.organization_id and m.user_id = t.user_id`,
    where: sql`t.organization_id = ${organization} and (${user}::uuid is null or t.user_id = ${user}::uuid)`,
    orderBy: sql`t.created_at desc, t.id desc`,
    limit,
    offset,
  })

/** The tokens that a user has and that are valid at that time. */
export async function countActivePersonalTokens(
  tx: Tx,
  organization: string,
  user: string,
  now: OrganizationTime,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from personal_tokens t
    where t.organization_id = ${organization} and t.user_id = ${user} and t.revoked_at is null and t.expires_at > ${now}`)
  return row?.count ?? 0
}

/** Only the first revocation is recorded. */
export async function markPersonalTokenRevoked(
  tx: Tx,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update personal_tokens set revoked_at = ${now}
    where organization_id = ${organization} and id = ${id} and revoked_at is null`)
}

/** Revokes all tokens of a user for an organization. */
export async function markPersonalTokensOfUserRevoked(
  tx: Tx,
  organization: string,
  user: string,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update personal_tokens set revoked_at = ${now}
    where organization_id = ${organization} and user_id = ${user} and revoked_at is null`)
}

/** Tokens of any organization that ended by those times. */
export const listPersonalTokensEndedBefore = (
  unscoped: SqlStatementRunner,
  times: OrganizationCurrentTimes,
  limit: number,
): Promise<{ organization_id: string; id: string }[]> =>
  unscoped.query<{ organization_id: string; id: string }>(sql`
    select organization_id, id from personal_tokens
    where ${dueCondition(sql`expires_at`, sql`organization_id`, times)} limit ${limit}`)

/** Deletes tokens of an organization and their hashes; needs the unscoped connection. */
export async function deletePersonalTokens(tx: Tx, organization: string, ids: readonly string[]): Promise<void> {
  await tx.query(sql`
    delete from personal_token_directory where organization_id = ${organization} and token_id = any(${ids}::uuid[])`)
  await tx.query(sql`delete from personal_tokens where organization_id = ${organization} and id = any(${ids}::uuid[])`)
}

export interface PersonalTokenUse {
  readonly id: string
  readonly at: Date
  readonly address: string | null
}

/** Writes the last uses of tokens of an organization. */
export async function updatePersonalTokensLastUsed(
  db: SqlStatementRunner,
  organization: string,
  uses: readonly PersonalTokenUse[],
): Promise<void> {
  await db.query(sql`
    update personal_tokens t
    set last_used_at = used.at, last_used_address = coalesce(used.address, t.last_used_address)
    from unnest(${uses.map((use) => use.id)}::uuid[], ${uses.map((use) => use.at.toISOString())}::timestamptz[],
                ${uses.map((use) => use.address)}::text[]) as used (id, at, address)
    where t.organization_id = ${organization} and t.id = used.id and (t.last_used_at is null or t.last_used_at <= used.at)`)
}
