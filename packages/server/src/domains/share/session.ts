import type { Call } from '../../engine/call.ts'
import type { LinkRow } from './store.ts'
import { readSession, writeSession } from './tokens.ts'

/** How long a session lives, unless its link ends before. */
const session_ms = 3_600_000

export interface Session {
  readonly token: string
  readonly expires_at: Date
}

/**
 * The session of a visitor who was let in: a new one for the password, the same again for whoever came with one, because
 * a session begets no longer one.
 */
export function sessionOf(call: Call, shown: string, link: LinkRow): Session {
  const held = readSession(call.signer, shown)
  return held ? { token: shown, expires_at: held.expires_at } : beginSession(call, link)
}

/** A token that stands in the addresses of a map instead of the password; it ends with the link or the password. */
function beginSession(call: Call, link: LinkRow): Session {
  const now_ms = call.clocks.of(link.organization_id).now().getTime()
  const ends_ms = Math.min(now_ms + session_ms, link.expires_at.getTime())
  const expires_at = new Date(Math.floor(ends_ms / 1000) * 1000)
  const terms = { link: link.id, version: link.password_version, expires_at }
  return { token: writeSession(call.signer, terms), expires_at }
}
