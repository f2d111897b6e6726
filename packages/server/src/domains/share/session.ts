import type { Call } from '../../engine/call.ts'
import type { LinkRow } from './store.ts'
import { readSession, writeSession } from './tokens.ts'

/** The lifetime of a session, unless its link expires earlier. */
const session_ms = 3_600_000

export interface Session {
  readonly token: string
  readonly expires_at: Date
}

/**
 * The session of an authorized visitor: a new one for a password, the same one for a session token, so that a session
 * cannot be extended.
 */
export function sessionOf(call: Call, shown: string, link: LinkRow): Session {
  const held = readSession(call.signer, shown)
  return held ? { token: shown, expires_at: held.expires_at } : beginSession(call, link)
}

/** Issues a token that replaces the password in tile URLs; it expires with the link or when the password changes. */
function beginSession(call: Call, link: LinkRow): Session {
  const now_ms = call.clocks.of(link.organization_id).now().getTime()
  const ends_ms = Math.min(now_ms + session_ms, link.expires_at.getTime())
  const expires_at = new Date(Math.floor(ends_ms / 1000) * 1000)
  const terms = { link: link.id, version: link.password_version, expires_at }
  return { token: writeSession(call.signer, terms), expires_at }
}
