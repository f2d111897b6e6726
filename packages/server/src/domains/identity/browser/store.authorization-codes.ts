import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The data that an authorization code was issued with. */
export interface AuthorizationCode {
  readonly browser_session_id: string
  readonly user_id: string
  readonly client_id: string
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly nonce: string | null
  readonly openid: boolean
  /** The organization that the request named; null for the one that the user chose last. */
  readonly organization_id: string | null
  /** The scopes of resources that the request named; null for none. */
  readonly scopes: readonly string[] | null
  /** The resources that it named; null for none. */
  readonly resources: readonly string[] | null
  readonly authenticated_at: Date
}

export interface AuthorizationCodeRow extends AuthorizationCode {
  readonly expires_at: Date
  /** The session of the tokens that it was exchanged for; null for an unused code. */
  readonly session_id: string | null
  /** When the session of its browser ended; null for an active one. */
  readonly browser_revoked_at: Date | null
  /** The organization whose provider began the session of the browser; null for a password. */
  readonly provider_organization_id: string | null
  /** How the user signed in with the browser. */
  readonly browser_amr: readonly string[] | null
}

export async function insertAuthorizationCode(
  db: SqlStatementRunner,
  code_hash: string,
  code: AuthorizationCode,
  { created_at, expires_at }: { readonly created_at: Date; readonly expires_at: Date },
): Promise<void> {
  await db.query(sql`
    insert into authorization_codes (code_hash, browser_session_id, user_id, client_id, redirect_uri, code_challenge,
                                     nonce, openid, organization_id, scopes, resources, authenticated_at,
                                     created_at, expires_at)
    values (${code_hash}, ${code.browser_session_id}, ${code.user_id}, ${code.client_id}, ${code.redirect_uri},
            ${code.code_challenge}, ${code.nonce}, ${code.openid}, ${code.organization_id}, ${code.scopes},
            ${code.resources}, ${code.authenticated_at}, ${created_at}, ${expires_at})`)
}

/** The code with a row lock that serializes concurrent uses; null for an unknown one. */
export async function lockAuthorizationCode(tx: Tx, code_hash: string): Promise<AuthorizationCodeRow | null> {
  const [row] = await tx.query<AuthorizationCodeRow>(sql`
    select c.browser_session_id, c.user_id, c.client_id, c.redirect_uri, c.code_challenge, c.nonce, c.openid,
           c.organization_id, c.scopes, c.resources, c.authenticated_at, c.expires_at, c.session_id,
           b.revoked_at as browser_revoked_at, b.provider_organization_id, b.amr as browser_amr
    from authorization_codes c join sessions b on b.id = c.browser_session_id
    where c.code_hash = ${code_hash}
    for update of c`)
  return row ?? null
}

export async function markAuthorizationCodeUsed(
  tx: Tx,
  code_hash: string,
  { session, used_at }: { readonly session: string; readonly used_at: Date },
): Promise<void> {
  await tx.query(sql`
    update authorization_codes set used_at = ${used_at}, session_id = ${session} where code_hash = ${code_hash}`)
}

/** Deletes the codes that expired before a time. */
export async function deleteAuthorizationCodesBefore(db: SqlStatementRunner, time: Date): Promise<void> {
  await db.query(sql`delete from authorization_codes where expires_at < ${time}`)
}
