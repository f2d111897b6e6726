import type { Call } from '../../engine/call.ts'
import type { LinkRow } from './store.ts'
import { writeSession } from './tokens.ts'

/** How long a session lives, unless its link ends before. */
const session_ms = 3_600_000

export interface Session {
  readonly token: string
  readonly expires_at: Date
}

/** A token that stands in the addresses of a map instead of the password; it ends with the link or the password. */
export function beginSession(call: Call, link: LinkRow): Session {
  const now = call.clock.now().getTime()
  const left_ms = link.expires_at.getTime() - call.clock.now(link.organization_id).getTime()
  const ends_ms = now + Math.min(session_ms, left_ms)
  const expires_at = new Date(Math.floor(ends_ms / 1000) * 1000)
  const terms = { link: link.id, version: link.password_version, expires_at }
  return { token: writeSession(call.signer, terms), expires_at }
}
