import type { OAuthClientGrant, OAuthClientType } from '@swath/contract/schemas/people/oauth-client.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

export interface OAuthClientRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly type: OAuthClientType
  readonly redirect_uris: readonly string[]
  readonly scopes: readonly string[]
  readonly grants: readonly OAuthClientGrant[]
  readonly home_url: string | null
  readonly logo_url: string | null
  readonly open_to_all: boolean
  readonly secret_hash: string | null
  readonly former_secret_hash: string | null
  readonly former_secret_expires_at: Date | null
  readonly created_by: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly disabled_at: Date | null
}

const columns = sql`c.id, c.organization_id, c.name, c.type, c.redirect_uris, c.scopes, c.grants, c.home_url, c.logo_url,
  c.open_to_all, c.secret_hash, c.former_secret_hash, c.former_secret_expires_at, c.created_by, c.created_at, c.updated_at,
  c.disabled_at`

/** Inserts a client and its place in the directory; needs the unscoped connection. */
export async function insertOAuthClient(tx: Tx, row: OAuthClientRow): Promise<void> {
  await tx.query(sql`
    insert into oauth_clients (organization_id, id, name, type, redirect_uris, scopes, grants, home_url, logo_url,
                               open_to_all, secret_hash, created_by, created_at, updated_at)
    values (${row.organization_id}, ${row.id}, ${row.name}, ${row.type}, ${[...row.redirect_uris]}, ${[...row.scopes]},
            ${[...row.grants]}, ${row.home_url}, ${row.logo_url}, ${row.open_to_all}, ${row.secret_hash}, ${row.created_by},
            ${row.created_at}, ${row.updated_at})`)
  await tx.query(sql`
    insert into oauth_client_directory (client_id, organization_id) values (${row.id}, ${row.organization_id})`)
}

/** The client with this id, of any organization; needs the unscoped connection. */
export async function findOAuthClientById(unscoped: SqlStatementRunner, id: string): Promise<OAuthClientRow | null> {
  const [found] = await unscoped.query<{ organization_id: string }>(sql`
    select organization_id from oauth_client_directory where client_id = ${id}`)
  return found ? findOAuthClient(unscoped, found.organization_id, id) : null
}

export async function findOAuthClient(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<OAuthClientRow | null> {
  const [row] = await db.query<OAuthClientRow>(sql`
    select ${columns} from oauth_clients c where c.organization_id = ${organization} and c.id = ${id}`)
  return row ?? null
}

export async function lockOAuthClient(tx: Tx, organization: string, id: string): Promise<OAuthClientRow | null> {
  const [row] = await tx.query<OAuthClientRow>(sql`
    select ${columns} from oauth_clients c where c.organization_id = ${organization} and c.id = ${id} for update`)
  return row ?? null
}

export const listOAuthClients = (db: SqlStatementRunner, organization: string): Promise<OAuthClientRow[]> =>
  db.query<OAuthClientRow>(sql`
    select ${columns} from oauth_clients c where c.organization_id = ${organization} order by c.created_at desc, c.id desc`)

export async function countOAuthClients(tx: Tx, organization: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from oauth_clients c where c.organization_id = ${organization}`)
  return row?.count ?? 0
}

/** Writes all that can change of a client. */
export async function updateOAuthClient(tx: Tx, row: OAuthClientRow): Promise<void> {
  await tx.query(sql`
    update oauth_clients set name = ${row.name}, redirect_uris = ${[...row.redirect_uris]}, scopes = ${[...row.scopes]},
      grants = ${[...row.grants]}, home_url = ${row.home_url}, logo_url = ${row.logo_url}, open_to_all = ${row.open_to_all},
      secret_hash = ${row.secret_hash}, former_secret_hash = ${row.former_secret_hash},
      former_secret_expires_at = ${row.former_secret_expires_at}, created_by = ${row.created_by},
      disabled_at = ${row.disabled_at}, updated_at = ${row.updated_at}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

/** Deletes a client and its place in the directory; needs the unscoped connection. */
export async function deleteOAuthClient(tx: Tx, organization: string, id: string): Promise<void> {
  await tx.query(sql`delete from oauth_client_directory where client_id = ${id}`)
  await tx.query(sql`delete from oauth_clients where organization_id = ${organization} and id = ${id}`)
}

/** The rights of a client that acts for its organization: an API key with its id that no secret of a key opens. */
export interface ClientKey {
  readonly organization_id: string
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  /** Whose role it has. */
  readonly created_by: string
  /** Null while the client may act. */
  readonly revoked_at: OrganizationTime | Date | null
  readonly created_at: Date
}

export async function upsertClientKey(tx: Tx, key: ClientKey): Promise<void> {
  await tx.query(sql`
    insert into api_keys (organization_id, id, name, prefix, last_four, permissions, created_by, revoked_at, created_at, of_client)
    values (${key.organization_id}, ${key.id}, ${key.name}, '', '', ${[...key.scopes]}, ${key.created_by}, ${key.revoked_at},
            ${key.created_at}, true)
    on conflict (organization_id, id) do update
    set name = excluded.name, permissions = excluded.permissions, created_by = excluded.created_by,
        revoked_at = excluded.revoked_at`)
}

/** Ends the sessions of a client: all of them, or those of other organizations than one. */
export async function markClientSessionsRevoked(
  tx: Tx,
  client: string,
  { reason, at, except = null }: { readonly reason: string; readonly at: Date; readonly except?: string | null },
): Promise<void> {
  await tx.query(sql`
    update sessions set revoked_at = ${at}, revoked_because = ${reason}
    where client_id = ${client} and revoked_at is null
      and (${except}::uuid is null or organization_id is distinct from ${except}::uuid)`)
}
