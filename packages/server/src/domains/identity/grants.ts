import { limits } from '@swath/contract/limits.ts'
import type { Principal } from '../../engine/call.ts'
import { parseApiKey } from '../../platform/crypto/secrets.ts'
import { emailKeyOf } from '../users/people.ts'
import { clientId } from './access-tokens.ts'
import { readClient, refuseClient } from './client.ts'
import type { EndpointRequest } from './oauth.ts'
import { OAuthRefusal, requireField } from './oauth.ts'
import type { IdentityParts } from './parts.ts'
import { principalOfKey, principalOfPerson } from './principals.ts'
import { endSession, openSession, rotateRefreshToken } from './sessions.ts'
import {
  findKeyByHash,
  findKeyOfSession,
  findPersonByEmailKey,
  findPersonOfSession,
  renewPasswordHash,
  type PersonRow,
} from './store.ts'
import type { Counted } from './throttle.ts'
import { failuresOf } from './wrong-credentials.ts'

/** The response of the token endpoint. */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly refresh_expires_in: number
  readonly scope: string
}

type Grant = (parts: IdentityParts, request: EndpointRequest) => Promise<TokenAnswer>

/** A principal with the claims of its tokens. */
interface Subject {
  readonly principal: Principal
  readonly email?: string
  readonly name?: string | null
}

const grants: Readonly<Record<string, Grant>> = {
  password: grantByPassword,
  client_credentials: grantByKey,
  refresh_token: grantByRefresh,
}

export const grantTypes: readonly string[] = Object.keys(grants)

/** Handles a token request by its `grant_type`; throws an `OAuthProblem`, or `rate-limited`. */
export async function grantTokens(parts: IdentityParts, request: EndpointRequest): Promise<TokenAnswer> {
  const type = requireField(request.form, 'grant_type')
  const grant = Object.hasOwn(grants, type) ? grants[type] : undefined
  if (!grant) throw new OAuthRefusal('unsupported_grant_type', `The grant types are ${grantTypes.join(', ')}.`)
  return await grant(parts, request)
}

async function grantByPassword(parts: IdentityParts, request: EndpointRequest): Promise<TokenAnswer> {
  const username = requireField(request.form, 'username')
  const password = requireField(request.form, 'password')
  const account = emailKeyOf(username).slice(0, 400)
  const counted = [failuresOf(parts, request.address), forAccount(parts, request, account)]
  const person = await parts.throttle.attempt(counted, async () => {
    // No account contains a NUL, and PostgreSQL rejects one in a parameter.
    const found = account.includes('\0') ? null : await findPersonByEmailKey(parts.across, account)
    const fits = await parts.passwords.verify(password, found?.password_hash ?? null, request.address)
    const value = fits && found?.disabled_at === null ? found : null
    return { failed: value === null, value }
  })
  // The same message for every failure: it must not reveal which users exist.
  if (!person) throw new OAuthRefusal('invalid_grant', 'The username or the password is wrong.')
  const principal = principalOfPerson(person)
  if (!principal) throw new OAuthRefusal('invalid_grant', 'The username or the password is wrong.')
  await renewHash(parts, person, password)
  return issue(parts, request, { principal, email: person.email, name: person.name })
}

/**
 * Limits failures per account and IP address, so that failures elsewhere never block the owner's first attempt from here.
 */
function forAccount(parts: IdentityParts, request: EndpointRequest, account: string): Counted {
  const { per_pair, per_account } = parts.limits
  const { strained_failures } = per_account
  return {
    name: 'sign-ins-of-pair',
    subject: `${request.address} ${account}`,
    allowance: per_pair,
    within: { name: 'sign-ins-of-account', subject: account, allowance: per_account, strained_failures },
  }
}

/** After a change of the hash parameters, the next sign-in replaces the stored hash. */
async function renewHash(parts: IdentityParts, person: PersonRow, password: string): Promise<void> {
  const stored = person.password_hash
  if (stored === null || !parts.passwords.needsNewHash(stored)) return
  await renewPasswordHash(parts.across, person.id, stored, await parts.passwords.hash(password))
}

async function grantByKey(parts: IdentityParts, request: EndpointRequest): Promise<TokenAnswer> {
  const client = readClient(request.form, request.authorization)
  if (client.id === null) throw new OAuthRefusal('invalid_request', 'client_id is required.')
  if (client.id !== clientId) throw refuseClient(`The client_id of this platform is "${clientId}".`, client)
  const { secret } = client
  if (secret === null) throw refuseClient('client_secret must be an API key.', client)
  const principal = await parts.throttle.attempt([failuresOf(parts, request.address)], async () => {
    const key = parseApiKey(secret)
    const row = key && (await findKeyByHash(parts.across, key.hash))
    const value = row && principalOfKey(row, parts.clock)
    return { failed: value === null, value }
  })
  if (!principal) throw refuseClient('The API key is unknown, expired or revoked.', client)
  parts.uses.note(principal)
  return issue(parts, request, { principal })
}

async function grantByRefresh(parts: IdentityParts, request: EndpointRequest): Promise<TokenAnswer> {
  const rotation = await rotateRefreshToken(parts, requireField(request.form, 'refresh_token'))
  if (rotation.outcome !== 'rotated') {
    throw new OAuthRefusal('invalid_grant', `The refresh token is not valid: ${sentences[rotation.outcome]}.`)
  }
  const { session, refresh_token } = rotation
  const subject = await subjectOfSession(parts, session)
  if (!subject) {
    await endSession(parts, session.id, 'holder-gone')
    throw new OAuthRefusal(
      'invalid_grant',
      'The refresh token is not valid: its user or API key can no longer sign in.',
    )
  }
  return answerTokens(parts, request, subject, { session: session.id, refresh_token })
}

const sentences = {
  unknown: 'it is unknown',
  expired: 'it has expired',
  revoked: 'its session has ended',
  reused: 'it was used before, so its session was revoked',
}

async function subjectOfSession(
  parts: IdentityParts,
  session: { id: string; user_id: string | null; key_id: string | null },
): Promise<Subject | null> {
  if (session.key_id !== null) {
    const key = await findKeyOfSession(parts.across, session.id, session.key_id)
    const principal = key && principalOfKey(key, parts.clock)
    return principal && { principal }
  }
  if (session.user_id === null) return null
  const person = await findPersonOfSession(parts.across, session.id, session.user_id)
  const principal = person && principalOfPerson(person)
  return principal && { principal, email: person.email, name: person.name }
}

/** Creates a session for a principal and returns its first tokens. */
async function issue(parts: IdentityParts, request: EndpointRequest, subject: Subject): Promise<TokenAnswer> {
  const { kind, id, organization } = subject.principal
  const opened =
    kind === 'api_key' && organization !== null
      ? await openSession(parts, { kind, key: id, organization })
      : await openSession(parts, { kind: 'human', user: id, organization })
  return answerTokens(parts, request, subject, opened)
}

async function answerTokens(
  parts: IdentityParts,
  request: EndpointRequest,
  { principal, email, name }: Subject,
  { session, refresh_token }: { session: string; refresh_token: string },
): Promise<TokenAnswer> {
  const access_token = await parts.tokens.sign({
    kind: principal.kind === 'api_key' ? 'api_key' : 'human',
    subject: principal.id,
    session,
    organization: principal.organization,
    scopes: principal.scopes,
    base: request.base,
    email,
    name,
  })
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: limits.access_token_seconds,
    refresh_token,
    refresh_expires_in: limits.refresh_token_seconds,
    scope: principal.scopes.join(' '),
  }
}
