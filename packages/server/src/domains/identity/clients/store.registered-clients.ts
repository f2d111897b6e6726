import type { OAuthClientGrant } from '@swath/contract/schemas/people/oauth-client.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A program that registered itself. */
export interface RegisteredClientRow {
  readonly id: string
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly scopes: readonly string[]
  readonly grants: readonly OAuthClientGrant[]
  readonly home_url: string | null
  readonly logo_url: string | null
  /** The SHA-256 of its registration access token. */
  readonly token_hash: string
  readonly address: string
  readonly created_at: Date
  readonly last_used_at: Date
}

const columns = sql`id, name, redirect_uris, scopes, grants, home_url, logo_url, token_hash, address, created_at, last_used_at`

/** Needs the unscoped connection, as all functions of this file. */
export async function insertRegisteredClient(db: SqlStatementRunner, row: RegisteredClientRow): Promise<void> {
  await db.query(sql`
    insert into registered_clients (${columns})
    values (${row.id}, ${row.name}, ${[...row.redirect_uris]}, ${[...row.scopes]}, ${[...row.grants]}, ${row.home_url},
            ${row.logo_url}, ${row.token_hash}, ${row.address}, ${row.created_at}, ${row.last_used_at})`)
}

export async function findRegisteredClient(db: SqlStatementRunner, id: string): Promise<RegisteredClientRow | null> {
  const [row] = await db.query<RegisteredClientRow>(sql`select ${columns} from registered_clients where id = ${id}`)
  return row ?? null
}

export async function countRegisteredClients(db: SqlStatementRunner): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*) as count from registered_clients`)
  return row?.count ?? 0
}

export async function updateRegisteredClient(
  db: SqlStatementRunner,
  row: Pick<RegisteredClientRow, 'id' | 'name' | 'redirect_uris' | 'scopes' | 'grants' | 'home_url' | 'logo_url'>,
): Promise<void> {
  await db.query(sql`
    update registered_clients set name = ${row.name}, redirect_uris = ${[...row.redirect_uris]}, scopes = ${[...row.scopes]},
      grants = ${[...row.grants]}, home_url = ${row.home_url}, logo_url = ${row.logo_url}
    where id = ${row.id}`)
}

/** Records that tokens were issued, unless that was recorded after a time. */
export async function updateRegisteredClientUse(
  db: SqlStatementRunner,
  id: string,
  { at, unless_after }: { readonly at: Date; readonly unless_after: Date },
): Promise<void> {
  await db.query(sql`
    update registered_clients set last_used_at = ${at} where id = ${id} and last_used_at <= ${unless_after}`)
}

export async function deleteRegisteredClient(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`delete from registered_clients where id = ${id}`)
}

/** Deletes the clients that were not used since a time, with what persons have granted to them. */
export async function deleteRegisteredClientsUnusedSince(db: SqlStatementRunner, time: Date): Promise<void> {
  await db.query(sql`
    with unused as (delete from registered_clients where last_used_at < ${time} returning id)
    delete from user_consents where client_id in (select id::text from unused)`)
}
