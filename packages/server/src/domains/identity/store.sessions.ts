import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface SessionRow {
  readonly id: string
  readonly kind: 'human' | 'api_key'
  readonly user_id: string | null
  readonly key_id: string | null
  readonly organization_id: string | null
  readonly created_at: Date
  /** The expiry of its last refresh token. */
  readonly expires_at: Date
  readonly revoked_at: Date | null
  /** The most that its tokens may have; null for a session that was created before scopes could be asked for. */
  readonly scopes: readonly string[] | null
  /** The client that exchanged a code for the tokens, or that is one of others; null for other grants. */
  readonly client: SessionClientFields | null
  /** The resources that its tokens are for; null if none was named. */
  readonly resources: readonly string[] | null
  /** The organization whose provider began the session, which names no other one; null for a password. */
  readonly provider_organization_id: string | null
  /** How its user signed in (RFC 8176); null for API keys, and for a session of before. */
  readonly amr: readonly string[] | null
}

/** Where a session began. */
export interface SessionOrigin {
  /** The IP address, or block of addresses, of the client. */
  readonly address: string | null
  readonly user_agent: string | null
  readonly grant_type: string
  /** When the user entered the password for it; null if an earlier sign-in was used. */
  readonly authenticated_at: Date | null
}

/** The additional fields of a session that began with an authorization code, or with a program of others. */
export interface SessionClientFields {
  readonly client_id: string
  /** The session of the browser, with which this one ends; null for other grants than a code. */
  readonly browser_session_id: string | null
  /** When the user last entered the password; null for other grants than a code. */
  readonly authenticated_at: Date | null
  /** Whether the client requested ID tokens. */
  readonly openid: boolean
}

/** A refresh token with the session that it belongs to, which is revoked if that of its browser is. */
export interface RefreshTokenRow extends SessionRow {
  /** The start of the maximum lifetime: that of its browser session, if it has one. */
  readonly started_at: Date
  readonly token_expires_at: Date
  readonly token_created_at: Date
  readonly used_at: Date | null
}

const refreshColumns = sql`s.id, s.kind, s.user_id, s.key_id, s.organization_id, s.created_at, s.expires_at,
  s.client_id, s.browser_session_id, s.authenticated_at, s.openid, s.scopes, s.resources, s.provider_organization_id, s.amr,
  coalesce(s.revoked_at, b.revoked_at) as revoked_at, coalesce(b.authenticated_at, s.created_at) as started_at,
  t.expires_at as token_expires_at, t.created_at as token_created_at, t.used_at`

const refreshJoins = sql`refresh_tokens t
  join sessions s on s.id = t.session_id
  left join sessions b on b.id = s.browser_session_id`

type FlatRefreshTokenRow = Omit<RefreshTokenRow, 'client'> & {
  [Name in keyof SessionClientFields]: SessionClientFields[Name] | null
}

function toRefreshTokenRow(row: FlatRefreshTokenRow | undefined): RefreshTokenRow | null {
  if (!row) return null
  const { client_id, browser_session_id, authenticated_at, openid, ...rest } = row
  return {
    ...rest,
    client: client_id !== null ? { client_id, browser_session_id, authenticated_at, openid: openid === true } : null,
  }
}

export async function insertSession(
  db: SqlStatementRunner,
  session: SessionRow & { readonly origin: SessionOrigin | null },
  token_hash: string,
): Promise<void> {
  const { client, origin } = session
  await db.query(sql`
    with session as (
      insert into sessions (id, kind, user_id, key_id, organization_id, created_at, expires_at,
                            client_id, browser_session_id, authenticated_at, openid, scopes, resources, amr, address, user_agent,
                            grant_type, provider_organization_id)
      values (${session.id}, ${session.kind}, ${session.user_id}, ${session.key_id}, ${session.organization_id},
              ${session.created_at}, ${session.expires_at}, ${client?.client_id ?? null},
              ${client?.browser_session_id ?? null}, ${client?.authenticated_at ?? origin?.authenticated_at ?? null},
              ${client?.openid ?? false}, ${session.scopes}, ${session.resources}, ${session.amr === null ? null : [...session.amr]},
              ${origin?.address ?? null}, ${origin?.user_agent ?? null}, ${origin?.grant_type ?? null},
              ${session.provider_organization_id})
      returning id, created_at, expires_at
    )
    insert into refresh_tokens (token_hash, session_id, created_at, expires_at)
    select ${token_hash}::text, id, created_at, expires_at from session`)
}

export async function findRefreshToken(db: SqlStatementRunner, token_hash: string): Promise<RefreshTokenRow | null> {
  const [row] = await db.query<FlatRefreshTokenRow>(sql`
    select ${refreshColumns} from ${refreshJoins} where t.token_hash = ${token_hash}`)
  return toRefreshTokenRow(row)
}

/** Like `findRefreshToken`, with a row lock that serializes concurrent uses of one token. */
export async function lockRefreshToken(tx: Tx, token_hash: string): Promise<RefreshTokenRow | null> {
  const [row] = await tx.query<FlatRefreshTokenRow>(sql`
    select ${refreshColumns} from ${refreshJoins} where t.token_hash = ${token_hash} for update of t, s`)
  return toRefreshTokenRow(row)
}

/** Marks a refresh token as used, inserts its successor and extends the session, and that of its browser, to its expiry. */
export async function insertRefreshTokenSuccessor(
  tx: Tx,
  { id: session, client }: Pick<SessionRow, 'id' | 'client'>,
  used_hash: string,
  next: { token_hash: string; created_at: Date; expires_at: Date },
): Promise<void> {
  await tx.query(sql`update refresh_tokens set used_at = ${next.created_at} where token_hash = ${used_hash}`)
  await tx.query(sql`
    insert into refresh_tokens (token_hash, session_id, created_at, expires_at)
    values (${next.token_hash}, ${session}, ${next.created_at}, ${next.expires_at})`)
  await tx.query(sql`update sessions set expires_at = ${next.expires_at} where id = ${session}`)
  if (client?.browser_session_id) await updateSessionExpiry(tx, client.browser_session_id, next.expires_at)
}

/** Moves the expiry of an active session; never back. */
export async function updateSessionExpiry(db: SqlStatementRunner, session: string, expires_at: Date): Promise<void> {
  await db.query(sql`
    update sessions set expires_at = greatest(expires_at, ${expires_at}::timestamptz)
    where id = ${session} and revoked_at is null`)
}

export async function updateSessionOrganization(tx: Tx, session: string, organization: string): Promise<void> {
  await tx.query(sql`update sessions set organization_id = ${organization} where id = ${session}`)
}

/** The session that a sign-out ends: that of the browser of the session, if it has one. Null for an unknown id. */
export async function findRootSession(db: SqlStatementRunner, session: string): Promise<string | null> {
  const [row] = await db.query<{ root: string }>(sql`
    select coalesce(browser_session_id, id) as root from sessions where id = ${session}`)
  return row?.root ?? null
}

/** Only the first revocation is recorded. */
export async function markSessionRevoked(tx: Tx, session: string, reason: string, now: Date): Promise<void> {
  await tx.query(sql`
    update sessions set revoked_at = ${now}, revoked_because = ${reason} where id = ${session} and revoked_at is null`)
}

/** Ends every session of a user but those, of browsers and of tokens. Returns how many had not expired. */
export async function markUserSessionsRevoked(
  tx: Tx,
  user: string,
  { kept, reason, now }: { readonly kept: readonly string[]; readonly reason: string; readonly now: Date },
): Promise<number> {
  const rows = await tx.query<{ expires_at: Date }>(sql`
    update sessions set revoked_at = ${now}, revoked_because = ${reason}
    where user_id = ${user} and kind = 'human' and revoked_at is null and id <> all(${[...kept]}::uuid[])
    returning expires_at`)
  return rows.filter(({ expires_at }) => expires_at > now).length
}

/** Ends every session of an API key. */
export async function markApiKeySessionsRevoked(tx: Tx, key: string, reason: string, now: Date): Promise<void> {
  await tx.query(sql`
    update sessions set revoked_at = ${now}, revoked_because = ${reason} where key_id = ${key} and revoked_at is null`)
}

/** Deletes the sessions whose last token expired before a time, with all their tokens. */
export async function deleteSessionsBefore(db: SqlStatementRunner, time: Date): Promise<void> {
  await db.query(sql`delete from sessions where expires_at < ${time}`)
}
