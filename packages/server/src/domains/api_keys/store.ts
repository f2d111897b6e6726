import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface ApiKeyRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly prefix: string
  readonly last_four: string
  readonly permissions: readonly string[]
  /** Calls per minute. */
  readonly rate_limit: number | null
  /** The total that it may spend. */
  readonly spend_cap_credits: number | null
  readonly created_by: string
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
  readonly created_at: Date
}

const columns = sql`id, organization_id, name, prefix, last_four, permissions, rate_limit, spend_cap_credits,
  created_by, expires_at, revoked_at, last_used_at, created_at`

export async function insertApiKey(tx: Tx, key: ApiKeyRow): Promise<void> {
  await tx.query(sql`
    insert into api_keys (${columns})
    values (${key.id}, ${key.organization_id}, ${key.name}, ${key.prefix}, ${key.last_four}, ${[...key.permissions]},
            ${key.rate_limit}, ${key.spend_cap_credits}, ${key.created_by}, ${key.expires_at}, ${key.revoked_at},
            ${key.last_used_at}, ${key.created_at})`)
}

/** Adds the key to the directory of hashes; needs the unscoped connection. */
export async function insertApiKeyHash(tx: Tx, hash: string, organization: string, key: string): Promise<void> {
  await tx.query(sql`
    insert into api_key_directory (key_hash, organization_id, key_id) values (${hash}, ${organization}, ${key})`)
}

/** A key as lists show it. */
export interface ListedApiKeyRow extends ApiKeyRow {
  readonly last_used_address: string | null
  /** Null for who has left. */
  readonly created_by_name: string | null
}

export async function listApiKeys(db: SqlStatementRunner, organization: string): Promise<ListedApiKeyRow[]> {
  return db.query<ListedApiKeyRow>(sql`
    select k.id, k.organization_id, k.name, k.prefix, k.last_four, k.permissions, k.rate_limit, k.spend_cap_credits,
      k.created_by, k.expires_at, k.revoked_at, k.last_used_at, k.last_used_address, k.created_at,
      coalesce(m.name, m.email) as created_by_name
    from api_keys k
    left join memberships m on m.organization_id = k.organization_id and m.user_id = k.created_by
    where k.organization_id = ${organization} and not k.of_client order by k.created_at desc, k.id desc`)
}

/** The keys of that name and creator that were not revoked. */
export async function listActiveApiKeyIds(
  db: SqlStatementRunner,
  organization: string,
  { name, created_by }: Pick<ApiKeyRow, 'name' | 'created_by'>,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from api_keys
    where organization_id = ${organization} and name = ${name} and created_by = ${created_by} and revoked_at is null`)
  return rows.map(({ id }) => id)
}

/** The total that a key may spend; null if it has no cap or is not a key of the organization. */
export async function findApiKeySpendCap(
  db: SqlStatementRunner,
  organization: string,
  key: string,
): Promise<number | null> {
  const [row] = await db.query<{ spend_cap_credits: number | null }>(sql`
    select spend_cap_credits from api_keys where organization_id = ${organization} and id = ${key}`)
  return row?.spend_cap_credits ?? null
}

/** The user who created a key; null if it is not a key of the organization. */
export async function findApiKeyCreator(
  db: SqlStatementRunner,
  organization: string,
  key: string,
): Promise<string | null> {
  const [row] = await db.query<{ created_by: string }>(sql`
    select created_by from api_keys where organization_id = ${organization} and id = ${key} and not of_client`)
  return row?.created_by ?? null
}

/** Writes what is shown of the secret of a key. */
export async function updateApiKeySecret(
  tx: Tx,
  { organization_id, id, prefix, last_four }: Pick<ApiKeyRow, 'organization_id' | 'id' | 'prefix' | 'last_four'>,
): Promise<readonly string[]> {
  const [row] = await tx.query<Pick<ApiKeyRow, 'permissions'>>(sql`
    update api_keys set prefix = ${prefix}, last_four = ${last_four}
    where organization_id = ${organization_id} and id = ${id}
    returning permissions`)
  return row?.permissions ?? []
}

/** Deletes the key from the directory of hashes, so that no secret of it is valid; needs the unscoped connection. */
export async function deleteApiKeyHash(tx: Tx, organization: string, key: string): Promise<void> {
  await tx.query(sql`delete from api_key_directory where organization_id = ${organization} and key_id = ${key}`)
}

/** Only the first revocation is recorded. Returns the stored id of the key; null if the organization has no such key. */
export async function markApiKeyRevoked(
  tx: Tx,
  organization: string,
  key: string,
  now: OrganizationTime,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(sql`
    update api_keys set revoked_at = coalesce(revoked_at, ${now})
    where organization_id = ${organization} and id = ${key} and not of_client
    returning id`)
  return row?.id ?? null
}
