import { limits } from '@swath/contract/limits.ts'
import type { Principal } from '../../engine/call.ts'
import { parseApiKey } from '../../platform/crypto/secrets.ts'
import { toEmailKey } from '../users/users.ts'
import { publicClientId } from './access-tokens.ts'
import { parseClientCredentials, invalidClient } from './client.ts'
import type { EndpointRequest } from './oauth.ts'
import { OAuthProblem, requireField } from './oauth.ts'
import type { IdentityDependencies } from './dependencies.ts'
import { toApiKeyPrincipal, toUserPrincipal } from './principals.ts'
import { endSession, createSession, rotateRefreshToken } from './sessions.ts'
import {
  findApiKeyAuthByHash,
  findApiKeyAuthOfSession,
  findUserAuthByEmailKey,
  findUserAuthOfSession,
  replacePasswordHash,
  type UserAuthRow,
} from './store.ts'
import type { FailureBucket } from './throttle.ts'
import { signInFailureBucket } from './unknown-credentials.ts'

/** The response of the token endpoint. */
export interface TokenEndpointResponse {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly refresh_expires_in: number
  readonly scope: string
}

type GrantHandler = (dependencies: IdentityDependencies, request: EndpointRequest) => Promise<TokenEndpointResponse>

/** A principal with the claims of its tokens. */
interface TokenSubject {
  readonly principal: Principal
  readonly email?: string
  readonly name?: string | null
}

const grantHandlers: Readonly<Record<string, GrantHandler>> = {
  password: handlePasswordGrant,
  client_credentials: handleClientCredentialsGrant,
  refresh_token: handleRefreshGrant,
}

export const grantTypes: readonly string[] = Object.keys(grantHandlers)

/** Handles a token request by its `grant_type`; throws an `OAuthProblem`, or `rate-limited`. */
export async function handleTokenRequest(
  dependencies: IdentityDependencies,
  request: EndpointRequest,
): Promise<TokenEndpointResponse> {
  const type = requireField(request.form, 'grant_type')
  const grant = Object.hasOwn(grantHandlers, type) ? grantHandlers[type] : undefined
  if (!grant) throw new OAuthProblem('unsupported_grant_type', `The grant types are ${grantTypes.join(', ')}.`)
  return await grant(dependencies, request)
}

async function handlePasswordGrant(
  dependencies: IdentityDependencies,
  request: EndpointRequest,
): Promise<TokenEndpointResponse> {
  const username = requireField(request.form, 'username')
  const password = requireField(request.form, 'password')
  const account = toEmailKey(username).slice(0, 400)
  const buckets = [
    signInFailureBucket(dependencies, request.address),
    accountFailureLimit(dependencies, request, account),
  ]
  const user = await dependencies.throttle.attempt(buckets, async () => {
    // No account contains a NUL, and PostgreSQL rejects one in a parameter.
    const candidate = account.includes('\0') ? null : await findUserAuthByEmailKey(dependencies.unscoped, account)
    const isMatch = await dependencies.passwords.verify(password, candidate?.password_hash ?? null, request.address)
    const value = isMatch && candidate?.disabled_at === null ? candidate : null
    return { failed: value === null, value }
  })
  // The same message for every failure: it must not reveal which users exist.
  if (!user) throw new OAuthProblem('invalid_grant', 'The username or the password is wrong.')
  const principal = toUserPrincipal(user)
  if (!principal) throw new OAuthProblem('invalid_grant', 'The username or the password is wrong.')
  await upgradePasswordHash(dependencies, user, password)
  return issueTokens(dependencies, request, { principal, email: user.email, name: user.name })
}

/**
 * Limits failures per account and IP address, so that failures elsewhere never block the owner's first attempt from here.
 */
function accountFailureLimit(
  dependencies: IdentityDependencies,
  request: EndpointRequest,
  account: string,
): FailureBucket {
  const { per_pair, per_account } = dependencies.limits
  const { failures_while_attacked } = per_account
  return {
    name: 'sign-ins-of-pair',
    subject: `${request.address} ${account}`,
    allowance: per_pair,
    within: { name: 'sign-ins-of-account', subject: account, allowance: per_account, failures_while_attacked },
  }
}

/** After a change of the hash parameters, the next sign-in replaces the stored hash. */
async function upgradePasswordHash(
  dependencies: IdentityDependencies,
  user: UserAuthRow,
  password: string,
): Promise<void> {
  const storedHash = user.password_hash
  if (storedHash === null || !dependencies.passwords.needsNewHash(storedHash)) return
  await replacePasswordHash(dependencies.unscoped, user.id, storedHash, await dependencies.passwords.hash(password))
}

async function handleClientCredentialsGrant(
  dependencies: IdentityDependencies,
  request: EndpointRequest,
): Promise<TokenEndpointResponse> {
  const client = parseClientCredentials(request.form, request.authorization)
  if (client.id === null) throw new OAuthProblem('invalid_request', 'client_id is required.')
  if (client.id !== publicClientId)
    throw invalidClient(`The client_id of this platform is "${publicClientId}".`, client)
  const { secret } = client
  if (secret === null) throw invalidClient('client_secret must be an API key.', client)
  const principal = await dependencies.throttle.attempt(
    [signInFailureBucket(dependencies, request.address)],
    async () => {
      const key = parseApiKey(secret)
      const row = key && (await findApiKeyAuthByHash(dependencies.unscoped, key.hash))
      const value = row && toApiKeyPrincipal(row, dependencies.clock)
      return { failed: value === null, value }
    },
  )
  if (!principal) throw invalidClient('The API key is unknown, expired or revoked.', client)
  dependencies.keyUsage.record(principal)
  return issueTokens(dependencies, request, { principal })
}

async function handleRefreshGrant(
  dependencies: IdentityDependencies,
  request: EndpointRequest,
): Promise<TokenEndpointResponse> {
  const rotation = await rotateRefreshToken(dependencies, requireField(request.form, 'refresh_token'))
  if (rotation.outcome !== 'rotated') {
    throw new OAuthProblem(
      'invalid_grant',
      `The refresh token is not valid: ${refreshErrorMessages[rotation.outcome]}.`,
    )
  }
  const { session, refresh_token } = rotation
  const subject = await findSessionSubject(dependencies, session)
  if (!subject) {
    await endSession(dependencies, session.id, 'holder-gone')
    throw new OAuthProblem(
      'invalid_grant',
      'The refresh token is not valid: its user or API key can no longer sign in.',
    )
  }
  return createTokenResponse(dependencies, request, subject, { session: session.id, refresh_token })
}

const refreshErrorMessages = {
  unknown: 'it is unknown',
  expired: 'it has expired',
  revoked: 'its session has ended',
  reused: 'it was used before, so its session was revoked',
}

async function findSessionSubject(
  dependencies: IdentityDependencies,
  session: { id: string; user_id: string | null; key_id: string | null },
): Promise<TokenSubject | null> {
  if (session.key_id !== null) {
    const key = await findApiKeyAuthOfSession(dependencies.unscoped, session.id, session.key_id)
    const principal = key && toApiKeyPrincipal(key, dependencies.clock)
    return principal && { principal }
  }
  if (session.user_id === null) return null
  const user = await findUserAuthOfSession(dependencies.unscoped, session.id, session.user_id)
  const principal = user && toUserPrincipal(user)
  return principal && { principal, email: user.email, name: user.name }
}

/** Creates a session for a principal and returns its first tokens. */
async function issueTokens(
  dependencies: IdentityDependencies,
  request: EndpointRequest,
  subject: TokenSubject,
): Promise<TokenEndpointResponse> {
  const { kind, id, organization } = subject.principal
  const session =
    kind === 'api_key' && organization !== null
      ? await createSession(dependencies, { kind, key: id, organization })
      : await createSession(dependencies, { kind: 'human', user: id, organization })
  return createTokenResponse(dependencies, request, subject, session)
}

async function createTokenResponse(
  dependencies: IdentityDependencies,
  request: EndpointRequest,
  { principal, email, name }: TokenSubject,
  { session, refresh_token }: { session: string; refresh_token: string },
): Promise<TokenEndpointResponse> {
  const access_token = await dependencies.tokens.sign({
    kind: principal.kind === 'api_key' ? 'api_key' : 'human',
    subject: principal.id,
    session,
    organization: principal.organization,
    scopes: principal.scopes,
    baseUrl: request.baseUrl,
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
