import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import type { ProviderClaims } from '../../../platform/integrations/openid/openid-types.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A sign-in that is under way at a provider. */
export interface ProviderLogin {
  readonly organization_id: string
  /** SHA-256 of the cookie of the browser that began it. */
  readonly cookie_hash: string
  /** The authorization request that it answers. */
  readonly query: string
  /** The session that the browser had. */
  readonly session_id: string | null
  readonly created_at: Date
  readonly expires_at: Date
}

export interface ProviderLoginRow extends ProviderLogin {
  readonly used_at: Date | null
  /** The account whose password is to be entered, and what the provider said; null unless one is. */
  readonly user_id: string | null
  readonly claims: ProviderClaims | null
  readonly linked_at: Date | null
}

export async function insertProviderLogin(
  db: SqlStatementRunner,
  state_hash: string,
  row: ProviderLogin,
): Promise<void> {
  await db.query(sql`
    insert into provider_logins (state_hash, organization_id, cookie_hash, query, session_id, created_at, expires_at)
    values (${state_hash}, ${row.organization_id}, ${row.cookie_hash}, ${row.query}, ${row.session_id}, ${row.created_at},
            ${row.expires_at})`)
}

/** With a row lock that serializes uses of one state; null for an unknown one. */
export async function lockProviderLogin(tx: Tx, state_hash: string): Promise<ProviderLoginRow | null> {
  const [row] = await tx.query<ProviderLoginRow>(sql`
    select organization_id, cookie_hash, query, session_id, created_at, expires_at, used_at, user_id, claims, linked_at
    from provider_logins where state_hash = ${state_hash} for update`)
  return row ?? null
}

export async function markProviderLoginUsed(tx: Tx, state_hash: string, used_at: Date): Promise<void> {
  await tx.query(sql`update provider_logins set used_at = ${used_at} where state_hash = ${state_hash}`)
}

/** Keeps what the provider said until the owner of the account has entered its password. */
export async function updateProviderLoginAccount(
  tx: Tx,
  state_hash: string,
  { user_id, claims }: { readonly user_id: string; readonly claims: ProviderClaims },
): Promise<void> {
  await tx.query(sql`
    update provider_logins set user_id = ${user_id}, claims = ${sql.json(claims)} where state_hash = ${state_hash}`)
}

export async function markProviderLoginLinked(tx: Tx, state_hash: string, linked_at: Date): Promise<void> {
  await tx.query(sql`
    update provider_logins set linked_at = ${linked_at}, claims = null where state_hash = ${state_hash}`)
}

export async function deleteProviderLoginsBefore(db: SqlStatementRunner, time: Date): Promise<void> {
  await db.query(sql`delete from provider_logins where expires_at < ${time}`)
}
