import { createHash, timingSafeEqual } from 'node:crypto'
import { limits } from '@swath/contract/limits.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { generateToken } from '../../../platform/crypto/token-prefixes.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { chooseResources } from '../clients/resource-indicators.ts'
import { findUserIn } from '../memberships/choose-organization.ts'
import { toUserPrincipal } from '../principals.ts'
import { chooseSessionScopes } from '../requested-scopes.ts'
import { isRuleSatisfied } from '../second-factor/methods.ts'
import { createSession, revokeSession } from '../sessions.ts'
import type { SessionOrigin } from '../store.sessions.ts'
import type { IssuedSession } from '../token-response.ts'
import {
  insertAuthorizationCode,
  lockAuthorizationCode,
  markAuthorizationCodeUsed,
  type AuthorizationCode,
  type AuthorizationCodeRow,
} from './store.authorization-codes.ts'

const code_lifetime_ms = limits.authorization_code_seconds * 1000

/** Issues a code: 285 random bits, stored as their SHA-256. */
export async function issueAuthorizationCode(
  { unscoped, clock }: Pick<IdentityDependencies, 'unscoped' | 'clock'>,
  code: AuthorizationCode,
): Promise<string> {
  const text = generateToken('authorization_code', 48)
  const created_at = clock.now()
  const expires_at = new Date(created_at.getTime() + code_lifetime_ms)
  await insertAuthorizationCode(unscoped, hashSecretSha256(text), code, { created_at, expires_at })
  return text
}

/** An authorization code with the parameters that a client presents to redeem it. */
export interface PresentedAuthorizationCode {
  readonly code: string
  readonly client_id: string
  readonly redirect_uri: string
  readonly code_verifier: string
  /** The resources that the tokens are to be for; null for those of the code. */
  readonly resources: readonly string[] | null
  /** Where the client is. */
  readonly origin: SessionOrigin
}

export type AuthorizationCodeRedemption =
  | {
      readonly outcome: 'redeemed'
      readonly user_id: string
      /** The organization that the request named. */
      readonly organization_id: string | null
      readonly issued: IssuedSession
    }
  | { readonly outcome: AuthorizationCodeRefusal }

/** The reasons for refusing a code. */
export type AuthorizationCodeRefusal =
  | 'unknown'
  | 'reused'
  | 'expired'
  | 'mismatch'
  | 'signedOut'
  | 'secondFactor'
  | 'noScope'

/** RFC 7636 4.6, compared in constant time. The challenge has 43 characters, as has every SHA-256 in base64url. */
export function matchesPkceChallenge(code_verifier: string, code_challenge: string): boolean {
  const actual = createHash('sha256').update(code_verifier, 'ascii').digest('base64url')
  return actual.length === code_challenge.length && timingSafeEqual(Buffer.from(actual), Buffer.from(code_challenge))
}

const isBoundTo = (row: AuthorizationCodeRow, presented: PresentedAuthorizationCode): boolean =>
  row.client_id === presented.client_id &&
  row.redirect_uri === presented.redirect_uri &&
  matchesPkceChallenge(presented.code_verifier, row.code_challenge)

/**
 * Exchanges a code for a session, once. A second use ends the session of the first one (RFC 6749 4.1.2): one of the two
 * clients is not the one that the code was issued to.
 */
export const redeemAuthorizationCode = (
  { unscoped, clock }: Pick<IdentityDependencies, 'unscoped' | 'clock'>,
  presented: PresentedAuthorizationCode,
): Promise<AuthorizationCodeRedemption> =>
  unscoped.transaction(async (tx): Promise<AuthorizationCodeRedemption> => {
    const now = clock.now()
    const code_hash = hashSecretSha256(presented.code)
    const row = await lockAuthorizationCode(tx, code_hash)
    if (!row) return { outcome: 'unknown' }
    if (row.session_id !== null) {
      await revokeSession(tx, row.session_id, 'code-reused', now)
      return { outcome: 'reused' }
    }
    if (row.expires_at <= now) return { outcome: 'expired' }
    if (!isBoundTo(row, presented)) return { outcome: 'mismatch' }
    if (row.browser_revoked_at !== null) return { outcome: 'signedOut' }
    const issued = await createCodeSession(tx, row, presented, now)
    if (!issued) return { outcome: 'signedOut' }
    if (typeof issued === 'string') return { outcome: issued }
    await markAuthorizationCodeUsed(tx, code_hash, { session: issued.session, used_at: now })
    return { outcome: 'redeemed', user_id: row.user_id, organization_id: row.organization_id, issued }
  })

/** Null if the user can no longer sign in, or has left the organization that the request named. */
async function createCodeSession(
  tx: Tx,
  row: AuthorizationCodeRow,
  presented: PresentedAuthorizationCode,
  now: Date,
): Promise<IssuedSession | 'secondFactor' | 'noScope' | null> {
  const { provider_organization_id: provider_organization } = row
  const user = await findUserIn(tx, row.organization_id, row.user_id, provider_organization)
  const principal = user && toUserPrincipal(user)
  if (!principal) return null
  if (!isRuleSatisfied(user.second_factor_rule, row.browser_amr)) return 'secondFactor'
  const { client_id, browser_session_id, authenticated_at, openid, nonce } = row
  const client = { client_id, browser_session_id, authenticated_at, openid }
  const owner = { kind: 'human', user: user.id, organization: principal.organization } as const
  const scopes = chooseSessionScopes(principal, row.scopes)
  // A program of others may only be told who somebody is.
  const isIdentityOnly = openid && row.scopes?.length === 0
  if (scopes.length === 0 && !isIdentityOnly) return 'noScope'
  const amr = row.browser_amr
  const resources = chooseResources(presented.resources, row.resources)
  const terms = { scopes, client, provider_organization, amr, origin: presented.origin }
  const session = await createSession(tx, owner, now, { ...terms, resources: row.resources ?? resources })
  return { ...session, client, nonce, amr, resources }
}
