import type { Queryable, Tx } from '../../platform/database/database.ts'
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
}

/** A refresh token with the session that it belongs to. */
export interface RefreshTokenRow extends SessionRow {
  readonly token_expires_at: Date
  readonly token_created_at: Date
  readonly used_at: Date | null
}

const sessionColumns = sql`s.id, s.kind, s.user_id, s.key_id, s.organization_id, s.created_at, s.expires_at, s.revoked_at`
const refreshColumns = sql`${sessionColumns}, t.expires_at as token_expires_at, t.created_at as token_created_at, t.used_at`

export async function insertSession(db: Queryable, session: SessionRow, token_hash: string): Promise<void> {
  await db.query(sql`
    with session as (
      insert into sessions (id, kind, user_id, key_id, organization_id, created_at, expires_at)
      values (${session.id}, ${session.kind}, ${session.user_id}, ${session.key_id}, ${session.organization_id},
              ${session.created_at}, ${session.expires_at})
      returning id, created_at, expires_at
    )
    insert into refresh_tokens (token_hash, session_id, created_at, expires_at)
    select ${token_hash}::text, id, created_at, expires_at from session`)
}

export async function findRefreshToken(db: Queryable, token_hash: string): Promise<RefreshTokenRow | null> {
  const [row] = await db.query<RefreshTokenRow>(sql`
    select ${refreshColumns} from refresh_tokens t join sessions s on s.id = t.session_id
    where t.token_hash = ${token_hash}`)
  return row ?? null
}

/** Like `findRefreshToken`, with a row lock that serializes concurrent uses of one token. */
export async function lockRefreshToken(tx: Tx, token_hash: string): Promise<RefreshTokenRow | null> {
  const [row] = await tx.query<RefreshTokenRow>(sql`
    select ${refreshColumns} from refresh_tokens t join sessions s on s.id = t.session_id
    where t.token_hash = ${token_hash}
    for update`)
  return row ?? null
}

/** Marks a refresh token as used, inserts its successor and extends the session to its expiry. */
export async function replaceRefreshToken(
  tx: Tx,
  session: string,
  used_hash: string,
  next: { token_hash: string; created_at: Date; expires_at: Date },
): Promise<void> {
  await tx.query(sql`update refresh_tokens set used_at = ${next.created_at} where token_hash = ${used_hash}`)
  await tx.query(sql`
    insert into refresh_tokens (token_hash, session_id, created_at, expires_at)
    values (${next.token_hash}, ${session}, ${next.created_at}, ${next.expires_at})`)
  await tx.query(sql`update sessions set expires_at = ${next.expires_at} where id = ${session}`)
}

/** Only the first revocation is recorded. */
export async function markSessionRevoked(tx: Tx, session: string, reason: string, now: Date): Promise<void> {
  await tx.query(sql`
    update sessions set revoked_at = ${now}, revoked_because = ${reason} where id = ${session} and revoked_at is null`)
}

/** Deletes the sessions whose last token expired before a time, with all their tokens. */
export async function deleteSessionsBefore(db: Queryable, time: Date): Promise<void> {
  await db.query(sql`delete from sessions where expires_at < ${time}`)
}
