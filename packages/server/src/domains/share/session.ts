import type { Call } from '../../engine/call.ts'
import type { ShareLinkRow } from './store.ts'
import { verifyShareSessionToken, signShareSessionToken } from './tokens.ts'

/** The lifetime of a session, unless its link expires earlier. */
const session_lifetime_ms = 3_600_000

export interface IssuedShareSession {
  readonly token: string
  readonly expires_at: Date
}

/**
 * The session of an authorized visitor: a new one for a password, the same one for a session token, so that a session
 * cannot be extended.
 */
export function getOrIssueShareSession(call: Call, presentedToken: string, link: ShareLinkRow): IssuedShareSession {
  const existing = verifyShareSessionToken(call.signer, presentedToken)
  return existing ? { token: presentedToken, expires_at: existing.expires_at } : issueSession(call, link)
}

/** Issues a token that replaces the password in tile URLs; it expires with the link or when the password changes. */
function issueSession(call: Call, link: ShareLinkRow): IssuedShareSession {
  const now_ms = call.clocks.forOrganization(link.organization_id).now().getTime()
  const expires_ms = Math.min(now_ms + session_lifetime_ms, link.expires_at.getTime())
  const expires_at = new Date(Math.floor(expires_ms / 1000) * 1000)
  const claims = { link: link.id, version: link.password_version, expires_at }
  return { token: signShareSessionToken(call.signer, claims), expires_at }
}
