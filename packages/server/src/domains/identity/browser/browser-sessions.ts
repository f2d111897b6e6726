import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { newId } from '../../../platform/ids.ts'
import { generateToken } from '../../../platform/crypto/token-prefixes.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { toUserPrincipal } from '../principals.ts'
import { truncateUserAgent } from '../account/session-origin.ts'
import { endSession, max_session_idle_ms, max_session_ms } from '../sessions.ts'
import { findUserIn } from '../memberships/choose-organization.ts'
import type { UserAuthRow } from '../store.ts'
import { updateSessionExpiry } from '../store.sessions.ts'
import { readSignInCookie, formatSignInCookie } from './cookies.ts'
import {
  findBrowserSession,
  insertBrowserSession,
  updateBrowserSession,
  type BrowserSessionRow,
} from './store.browser-sessions.ts'

/** The session of a browser and the user who signed in there. */
export interface BrowserSession extends BrowserSessionRow {
  readonly user: UserAuthRow
}

/** The part of a request that identifies its browser. */
export interface BrowserIdentityRequest {
  readonly cookie: string | null
  readonly baseUrl: string
}

const expiryAfter = (now: Date): Date => new Date(now.getTime() + max_session_idle_ms)

/**
 * The active session of the browser that sent a request; null if it has none, was not used for the idle limit, is older than
 * the maximum lifetime, or if its user can no longer sign in.
 */
export async function getBrowserSession(
  { unscoped, clock }: IdentityDependencies,
  { cookie, baseUrl }: BrowserIdentityRequest,
): Promise<BrowserSession | null> {
  const secret = readSignInCookie(cookie, 'session', baseUrl)
  const session = secret === null ? null : await findBrowserSession(unscoped, hashSecretSha256(secret))
  if (!session) return null
  const now_ms = clock.now().getTime()
  const end_ms = Math.min(session.expires_at.getTime(), session.authenticated_at.getTime() + max_session_ms)
  if (end_ms <= now_ms) return null
  const user = await findUserIn(unscoped, null, session.user_id, session.provider_organization_id)
  return user && toUserPrincipal(user) && !user.password_temporary ? { ...session, user } : null
}

/** Restarts the idle limit of a session. */
export const extendBrowserSession = (
  { unscoped, clock }: IdentityDependencies,
  { id }: BrowserSessionRow,
): Promise<void> => updateSessionExpiry(unscoped, id, expiryAfter(clock.now()))

/** A request to sign in, with the session that its form was signed for. */
export interface SignInRequest extends BrowserIdentityRequest {
  readonly session_id: string | null
  /** The IP address, or block of addresses, of the client. */
  readonly address?: string
  readonly userAgent?: string | null
}

/** How a user signed in. */
export interface SignInProof {
  /** RFC 8176. */
  readonly amr: readonly string[]
  readonly authenticated_at: Date
}

export interface BrowserSignIn {
  /** By default a password that was entered now. */
  readonly proof?: SignInProof
  /** The organization whose provider vouches for the user; null for a password. */
  readonly provider_organization_id?: string | null
}

/**
 * Signs a user in who has just entered the password, or comes from a provider, with a new cookie. The session that the browser had continues if it is
 * the same user's, so that signing out still ends all its clients; any other that it had is ended. It may have had one that
 * its cookie does not name any more: that of the form, if another tab has signed in since.
 */
export async function startBrowserSession(
  dependencies: IdentityDependencies,
  request: SignInRequest,
  user: UserAuthRow,
  { proof, provider_organization_id = null }: BrowserSignIn = {},
): Promise<{ session: BrowserSessionRow; cookie: string }> {
  const { unscoped, clock } = dependencies
  const now = clock.now()
  const { amr, authenticated_at } = proof ?? { amr: ['pwd'], authenticated_at: now }
  const origin = { address: request.address ?? null, user_agent: truncateUserAgent(request.userAgent) }
  const secret = generateToken('browser_session', 48)
  const cookie_hash = hashSecretSha256(secret)
  const times = { authenticated_at, expires_at: expiryAfter(now), amr, provider_organization_id, ...origin }
  const cookie = formatSignInCookie('session', secret, request.baseUrl)

  const current = await getBrowserSession(dependencies, request)
  for (const id of new Set([current?.id, request.session_id])) {
    if (!id) continue
    const session = { id, user_id: user.id, ...times }
    if (await updateBrowserSession(unscoped, { ...session, cookie_hash })) return { session, cookie }
    await endSession(dependencies, id, 'other-user-signed-in')
  }
  const session = { id: newId(), user_id: user.id, ...times }
  await insertBrowserSession(unscoped, { ...session, organization_id: user.organization_id, cookie_hash })
  return { session, cookie }
}
