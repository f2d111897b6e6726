import type { Call, Principal } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { findSessionUser } from './federation/admission.ts'
import { isImpersonationActive } from './impersonation/resolve-impersonation.ts'
import { isPersonalTokenActive } from './personal-tokens/resolve-personal-token.ts'
import { toApiKeyPrincipal, toUserPrincipal } from './principals.ts'
import { isRuleSatisfied } from './second-factor/methods.ts'
import { findApiKeyAuth, findApiKeyAuthOfSession } from './store.ts'
import { findMemberPrincipal } from './user-principal.ts'

type TokenCall = Pick<Call, 'principal' | 'unscoped' | 'clocks'>

const sessionPrefix = 'session:'

/** The session of the token, which is the first one of its subjects; null for an API key that was sent itself. */
export const findTokenSession = ({ token_subjects = [] }: Principal): string | null =>
  token_subjects.find((subject) => subject.startsWith(sessionPrefix))?.slice(sessionPrefix.length) ?? null

/**
 * Reads the session or API key of the caller again, from the database. For responses that last: after
 * `watchRevocation`, it finds revocations between the authentication of the call and the watch. Throws
 * `unauthenticated`.
 */
export async function requireValidToken(call: TokenCall): Promise<void> {
  if (!(await isValid(call))) throw new Problem('unauthenticated', 'The token or API key was revoked.')
}

async function isValid({ principal, unscoped, clocks }: TokenCall): Promise<boolean> {
  if (principal.impersonator !== undefined) return isImpersonationActive({ unscoped, clock: clocks.process }, principal)
  const session = findTokenSession(principal)
  if (principal.kind === 'api_key' && principal.organization !== null) {
    const key = await (session === null
      ? findApiKeyAuth(unscoped, principal.organization, principal.id)
      : findApiKeyAuthOfSession(unscoped, session, principal.id))
    return key !== null && toApiKeyPrincipal(key, clocks) !== null
  }
  if (principal.personal_token !== undefined && principal.organization !== null) {
    const token = { organization: principal.organization, id: principal.personal_token }
    const user = await findMemberPrincipal(unscoped, principal.organization, principal.id)
    return user !== null && isPersonalTokenActive(unscoped, clocks, token)
  }
  if (session === null) return true
  const user = await findSessionUser(unscoped, session, principal.id)
  return (
    user !== null &&
    isRuleSatisfied(user.second_factor_rule, user.amr) &&
    toUserPrincipal(user)?.organization === principal.organization
  )
}
