import { limits } from '@swath/contract/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import { newId, randomText } from '../../platform/ids.ts'
import { announceChange } from './changes.ts'
import {
  findRefreshToken,
  insertSession,
  lockRefreshToken,
  markSessionRevoked,
  replaceRefreshToken,
  type RefreshRow,
  type SessionRow,
} from './store.sessions.ts'

/**
 * The dependencies of sessions; `unscoped`, because the organization of a refresh token is not known before it is looked
 * up.
 */
export interface SessionParts {
  readonly across: Db
  readonly clock: Clock
}

/** The maximum lifetime of a session, however often it is refreshed. */
const longestSession_ms = 30 * 24 * 3600 * 1000

const refreshLifetime_ms = limits.refresh_token_seconds * 1000

/** 48 characters of base 62: 285 random bits, stored as their SHA-256. */
const makeRefreshToken = (): { text: string; token_hash: string } => {
  const text = `swr_${randomText(48)}`
  return { text, token_hash: hashSecret(text) }
}

export type Holder =
  | { readonly kind: 'human'; readonly user: string; readonly organization: string | null }
  | { readonly kind: 'api_key'; readonly key: string; readonly organization: string }

/** Creates a session with its first refresh token. */
export async function openSession(
  { across, clock }: SessionParts,
  holder: Holder,
): Promise<{ session: string; refresh_token: string }> {
  const now = clock.now()
  const { text, token_hash } = makeRefreshToken()
  const session: SessionRow = {
    id: newId(),
    kind: holder.kind,
    user_id: holder.kind === 'human' ? holder.user : null,
    key_id: holder.kind === 'api_key' ? holder.key : null,
    organization_id: holder.organization,
    created_at: now,
    expires_at: new Date(now.getTime() + refreshLifetime_ms),
    revoked_at: null,
  }
  await insertSession(across, session, token_hash)
  return { session: session.id, refresh_token: text }
}

export type Rotation =
  | { readonly outcome: 'rotated'; readonly session: SessionRow; readonly refresh_token: string }
  | { readonly outcome: 'unknown' | 'expired' | 'reused' | 'revoked' }

/**
 * Consumes a refresh token and issues the next one. A token that is used twice was stolen, or its response was: the session
 * ends, with all its access tokens.
 */
export async function rotateRefreshToken({ across, clock }: SessionParts, token: string): Promise<Rotation> {
  const used_hash = hashSecret(token)
  return across.transaction(async (tx): Promise<Rotation> => {
    const now = clock.now()
    const row = await lockRefreshToken(tx, used_hash)
    if (!row) return { outcome: 'unknown' }
    if (row.revoked_at !== null) return { outcome: 'revoked' }
    if (row.used_at !== null) {
      await revokeIn(tx, row.id, 'refresh-token-reused', now)
      return { outcome: 'reused' }
    }
    const ends = row.created_at.getTime() + longestSession_ms
    if (row.token_expires_at <= now || ends <= now.getTime()) return { outcome: 'expired' }
    const { text, token_hash } = makeRefreshToken()
    const expires_at = new Date(now.getTime() + refreshLifetime_ms)
    await replaceRefreshToken(tx, row.id, used_hash, { token_hash, created_at: now, expires_at })
    return { outcome: 'rotated', session: row, refresh_token: text }
  })
}

/** The session of a refresh token, consumed or not; null if the text is not a refresh token. */
export const findSessionOfToken = ({ across }: SessionParts, token: string): Promise<RefreshRow | null> =>
  findRefreshToken(across, hashSecret(token))

async function revokeIn(tx: Tx, session: string, because: string, now: Date): Promise<void> {
  await markSessionRevoked(tx, session, because, now)
  await announceChange(tx, `session:${session}`)
}

/** Ends a session: its refresh tokens at once, its access tokens a moment later in every process. */
export const endSession = ({ across, clock }: SessionParts, session: string, because: string): Promise<void> =>
  across.transaction((tx) => revokeIn(tx, session, because, clock.now()))
