import type { IdentityEndpointRequest } from '../oauth.ts'
import type { SessionOrigin } from '../store.sessions.ts'

const max_user_agent_length = 300

/** The header as it is stored: PostgreSQL rejects a NUL, and the others only confuse who reads it. */
export const truncateUserAgent = (userAgent: string | null | undefined): string | null =>
  // oxlint-disable-next-line no-control-regex -- see above
  userAgent ? userAgent.replaceAll(/[\0-\x1f\x7f]/g, ' ').slice(0, max_user_agent_length) : null

/** Where the session of a token request begins; `authenticated_at` is when its user entered the password for it. */
export const toSessionOrigin = (
  { address, userAgent }: Pick<IdentityEndpointRequest, 'address' | 'userAgent'>,
  grant_type: string,
  authenticated_at: Date | null,
): SessionOrigin => ({ address, user_agent: truncateUserAgent(userAgent), grant_type, authenticated_at })
