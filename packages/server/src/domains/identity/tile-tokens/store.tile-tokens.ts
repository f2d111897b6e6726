import type { OrganizationTime, OrganizationCurrentTimes } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import type { PlanName } from '../../../platform/setting-types.ts'
import { dueCondition } from '../../../platform/database/due-condition.ts'
import type { DelegationStopReason } from '@swath/contract/delegations.ts'
import { delegationStopReasonSql } from '../../../platform/database/statements/creator-condition.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A tile token of an item or of a collection. */
export interface StoredTileToken {
  readonly id: string
  readonly item_id: string | null
  readonly collection_id: string | null
  readonly name: string
  readonly prefix: string
  /** The user whose permissions it has. */
  readonly issuer: string
  readonly key_id: string | null
  readonly expires_at: Date
  readonly revoked_at: Date | null
  readonly created_at: Date
}

/** A tile token with the columns that authentication needs. */
export interface TileTokenRow extends StoredTileToken {
  readonly organization_id: string
  readonly organization_status: string
  readonly plan: PlanName
  readonly stop_reason: DelegationStopReason | null
  readonly key_expires_at: Date | null
}

const columns = sql`t.id, t.item_id, t.collection_id, t.name, t.prefix, t.issuer, t.key_id, t.expires_at, t.revoked_at,
  t.created_at`

/** Inserts a token and its hash in the directory; needs the unscoped connection. */
export async function insertTileToken(
  tx: Tx,
  token: StoredTileToken & { readonly organization_id: string },
  hash: string,
): Promise<void> {
  await tx.query(sql`
    insert into tile_tokens (organization_id, id, item_id, collection_id, name, prefix, issuer, key_id, expires_at,
                             revoked_at, created_at)
    values (${token.organization_id}, ${token.id}, ${token.item_id}, ${token.collection_id}, ${token.name},
            ${token.prefix}, ${token.issuer}, ${token.key_id}, ${token.expires_at}, ${token.revoked_at},
            ${token.created_at})`)
  await tx.query(sql`
    insert into tile_token_directory (token_hash, organization_id, token_id)
    values (${hash}, ${token.organization_id}, ${token.id})`)
}

export async function findTileTokenByHash(db: SqlStatementRunner, hash: string): Promise<TileTokenRow | null> {
  const [found] = await db.query<{ organization_id: string; token_id: string }>(sql`
    select organization_id, token_id from tile_token_directory where token_hash = ${hash}`)
  if (!found) return null
  const [row] = await db.query<TileTokenRow>(sql`
    select ${columns}, t.organization_id, o.status as organization_status, o.plan, k.expires_at as key_expires_at,
      ${delegationStopReasonSql({ organization: sql`t.organization_id`, creator: sql`coalesce(t.key_id, t.issuer)::text` }, null)} as stop_reason
    from tile_tokens t
    join organizations o on o.organization_id = t.organization_id
    left join api_keys k on k.organization_id = t.organization_id and k.id = t.key_id
    where t.organization_id = ${found.organization_id} and t.id = ${found.token_id}`)
  return row ?? null
}

export async function findTileToken(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<StoredTileToken | null> {
  const [row] = await db.query<StoredTileToken>(sql`
    select ${columns} from tile_tokens t where t.organization_id = ${organization} and t.id = ${id}`)
  return row ?? null
}

/** The active tokens of one target, newest first. */
export const listActiveTileTokenRows = (
  db: SqlStatementRunner,
  organization: string,
  target: Pick<StoredTileToken, 'item_id' | 'collection_id'>,
  now: OrganizationTime,
): Promise<StoredTileToken[]> =>
  db.query<StoredTileToken>(sql`
    select ${columns} from tile_tokens t
    where t.organization_id = ${organization} and t.revoked_at is null and t.expires_at > ${now}
      and (t.item_id = ${target.item_id}::uuid or t.collection_id = ${target.collection_id}::uuid)
    order by t.created_at desc, t.id desc`)

/** The active tokens that a user has created, newest first. */
export const listActiveTileTokensOfIssuer = (
  db: SqlStatementRunner,
  organization: string,
  issuer: string,
  now: OrganizationTime,
): Promise<StoredTileToken[]> =>
  db.query<StoredTileToken>(sql`
    select ${columns} from tile_tokens t
    where t.organization_id = ${organization} and t.issuer = ${issuer} and t.revoked_at is null and t.expires_at > ${now}
    order by t.created_at desc, t.id desc`)

/** Only the first revocation is recorded. */
export async function markTileTokenRevoked(
  tx: Tx,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update tile_tokens set revoked_at = coalesce(revoked_at, ${now})
    where organization_id = ${organization} and id = ${id}`)
}

/** Tokens of any organization that ended by those times. */
export const listTileTokensEndedBefore = (
  unscoped: SqlStatementRunner,
  times: OrganizationCurrentTimes,
  limit: number,
): Promise<{ organization_id: string; id: string }[]> =>
  unscoped.query<{ organization_id: string; id: string }>(sql`
    select organization_id, id from tile_tokens
    where ${dueCondition(sql`expires_at`, sql`organization_id`, times)} limit ${limit}`)

/** Deletes tokens of an organization and their hashes; needs the unscoped connection. */
export async function deleteTileTokens(tx: Tx, organization: string, ids: readonly string[]): Promise<void> {
  await tx.query(sql`
    delete from tile_token_directory where organization_id = ${organization} and token_id = any(${ids}::uuid[])`)
  await tx.query(sql`delete from tile_tokens where organization_id = ${organization} and id = any(${ids}::uuid[])`)
}
