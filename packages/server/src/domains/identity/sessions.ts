import { limits } from '@swath/contract/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DbConnection, Tx } from '../../platform/database/database.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import { newId, randomText } from '../../platform/ids.ts'
import { publishPrincipalChange } from './principal-changes.ts'
import {
  findRefreshToken,
  insertSession,
  lockRefreshToken,
  markSessionRevoked,
  replaceRefreshToken,
  type RefreshTokenRow,
  type SessionRow,
} from './store.sessions.ts'

/**
 * The dependencies of sessions; `unscoped`, because the organization of a refresh token is not known before it is looked
 * up.
 */
export interface SessionDependencies {
  readonly unscoped: DbConnection
  readonly clock: Clock
}

/** The maximum lifetime of a session, however often it is refreshed. */
const max_session_ms = 30 * 24 * 3600 * 1000

const refresh_lifetime_ms = limits.refresh_token_seconds * 1000

/** 48 characters of base 62: 285 random bits, stored as their SHA-256. */
const generateRefreshToken = (): { text: string; token_hash: string } => {
  const text = `swr_${randomText(48)}`
  return { text, token_hash: hashSecret(text) }
}

export type SessionOwner =
  | { readonly kind: 'human'; readonly user: string; readonly organization: string | null }
  | { readonly kind: 'api_key'; readonly key: string; readonly organization: string }

/** Creates a session with its first refresh token. */
export async function createSession(
  { unscoped, clock }: SessionDependencies,
  owner: SessionOwner,
): Promise<{ session: string; refresh_token: string }> {
  const now = clock.now()
  const { text, token_hash } = generateRefreshToken()
  const session: SessionRow = {
    id: newId(),
    kind: owner.kind,
    user_id: owner.kind === 'human' ? owner.user : null,
    key_id: owner.kind === 'api_key' ? owner.key : null,
    organization_id: owner.organization,
    created_at: now,
    expires_at: new Date(now.getTime() + refresh_lifetime_ms),
    revoked_at: null,
  }
  await insertSession(unscoped, session, token_hash)
  return { session: session.id, refresh_token: text }
}

export type RefreshTokenRotation =
  | { readonly outcome: 'rotated'; readonly session: SessionRow; readonly refresh_token: string }
  | { readonly outcome: 'unknown' | 'expired' | 'reused' | 'revoked' }

/**
 * Consumes a refresh token and issues the next one. A token that is used twice was stolen, or its response was: the session
 * ends, with all its access tokens.
 */
export async function rotateRefreshToken(
  { unscoped, clock }: SessionDependencies,
  token: string,
): Promise<RefreshTokenRotation> {
  const used_hash = hashSecret(token)
  return unscoped.transaction(async (tx): Promise<RefreshTokenRotation> => {
    const now = clock.now()
    const row = await lockRefreshToken(tx, used_hash)
    if (!row) return { outcome: 'unknown' }
    if (row.revoked_at !== null) return { outcome: 'revoked' }
    if (row.used_at !== null) {
      await revokeSession(tx, row.id, 'refresh-token-reused', now)
      return { outcome: 'reused' }
    }
    const session_end_ms = row.created_at.getTime() + max_session_ms
    if (row.token_expires_at <= now || session_end_ms <= now.getTime()) return { outcome: 'expired' }
    const { text, token_hash } = generateRefreshToken()
    const expires_at = new Date(now.getTime() + refresh_lifetime_ms)
    await replaceRefreshToken(tx, row.id, used_hash, { token_hash, created_at: now, expires_at })
    return { outcome: 'rotated', session: row, refresh_token: text }
  })
}

/** The session of a refresh token, consumed or not; null if the text is not a refresh token. */
export const findSessionByRefreshToken = (
  { unscoped }: SessionDependencies,
  token: string,
): Promise<RefreshTokenRow | null> => findRefreshToken(unscoped, hashSecret(token))

async function revokeSession(tx: Tx, session: string, reason: string, now: Date): Promise<void> {
  await markSessionRevoked(tx, session, reason, now)
  await publishPrincipalChange(tx, `session:${session}`)
}

/** Ends a session: its refresh tokens at once, its access tokens a moment later in every process. */
export const endSession = ({ unscoped, clock }: SessionDependencies, session: string, reason: string): Promise<void> =>
  unscoped.transaction((tx) => revokeSession(tx, session, reason, clock.now()))
