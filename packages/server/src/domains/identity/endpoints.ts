import { Problem } from '../../engine/problem.ts'
import { hasTokenPrefix } from '../../platform/crypto/token-prefixes.ts'
import { publicClientId } from './access-tokens.ts'
import { showAccountLinkPage } from './account/account-link-page.ts'
import { showResetPasswordPage } from './account/reset-password-page.ts'
import { authenticatePrincipal, resolveTokenPrincipal } from './authenticate.ts'
import { handleAuthorizationRequest } from './browser/authorize.ts'
import { handleLogoutRequest } from './browser/end-session.ts'
import { parseClientCredentials, createInvalidClientProblem, createUnknownProgramProblem } from './client.ts'
import { authenticateClient } from './clients/authenticate-client.ts'
import type { OAuthProgram } from './clients/oauth-client.ts'
import { authorizeDevice } from './device/device-authorization.ts'
import { showDevicePage } from './device/device-page.ts'
import { handleRegistration } from './clients/register-client.ts'
import { buildOpenIdConfiguration, buildProtectedResourceMetadata } from './discovery.ts'
import { handleBackchannelLogout } from './federation/backchannel-logout.ts'
import { handleProviderResponse } from './federation/provider-response.ts'
import { handleTokenRequest } from './grants.ts'
import { showInvitationPage } from './invitations/invitation-page.ts'
import {
  createOAuthEndpointResponse,
  createProblemResponse,
  OAuthProblem,
  requireFormField,
  type IdentityEndpointResponse,
  type IdentityEndpointRequest,
} from './oauth.ts'
import { throttleUnknownCredentials } from './unknown-credentials.ts'
import type { IdentityDependencies } from './dependencies.ts'
import { translateResponse } from './page-texts/translate-page.ts'
import { revokePresentedPersonalToken } from './personal-tokens/resolve-personal-token.ts'
import { endSession, findSessionByRefreshToken } from './sessions.ts'
import { findUserAuth } from './store.ts'

/** An endpoint whose page has no language yet. */
type UntranslatedEndpoint = (request: IdentityEndpointRequest) => Promise<IdentityEndpointResponse>

export type OAuthEndpoint = (request: IdentityEndpointRequest) => Promise<IdentityEndpointResponse<string>>

/** The endpoints of the realm, as functions of parsed requests. */
export interface IdentityEndpoints {
  readonly authorize: OAuthEndpoint
  readonly token: OAuthEndpoint
  readonly authorizeDevice: OAuthEndpoint
  readonly device: OAuthEndpoint
  readonly invitation: OAuthEndpoint
  readonly provider: OAuthEndpoint
  readonly providerLogout: OAuthEndpoint
  readonly resetPassword: OAuthEndpoint
  readonly accountLink: OAuthEndpoint
  readonly certs: OAuthEndpoint
  readonly userinfo: OAuthEndpoint
  readonly introspect: OAuthEndpoint
  readonly revoke: OAuthEndpoint
  readonly logout: OAuthEndpoint
  readonly discovery: OAuthEndpoint
  readonly protectedResource: OAuthEndpoint
  readonly register: OAuthEndpoint
}

type UntranslatedEndpoints = Readonly<Record<keyof IdentityEndpoints, UntranslatedEndpoint>>

/** The endpoints, whose pages are in the language of their readers. */
export function createIdentityEndpoints(dependencies: IdentityDependencies): IdentityEndpoints {
  const endpoints = createUntranslatedEndpoints(dependencies)
  const entries = Object.entries(endpoints).map(([name, endpoint]): [string, OAuthEndpoint] => [
    name,
    async (request) => translateResponse(await endpoint(request), request),
  ])
  return Object.fromEntries(entries) as unknown as IdentityEndpoints
}

const createUntranslatedEndpoints = (dependencies: IdentityDependencies): UntranslatedEndpoints => ({
  authorize: (request) => handleAuthorizationRequest(dependencies, request),
  token: withOAuthErrors(async (request) =>
    createOAuthEndpointResponse({ ...(await handleTokenRequest(dependencies, request)) }),
  ),
  authorizeDevice: withOAuthErrors((request) => authorizeDevice(dependencies, request)),
  device: (request) => showDevicePage(dependencies, request),
  invitation: (request) => showInvitationPage(dependencies, request),
  provider: (request) => handleProviderResponse(dependencies, request),
  providerLogout: withOAuthErrors((request) => handleBackchannelLogout(dependencies, request)),
  resetPassword: (request) => showResetPasswordPage(dependencies, request),
  accountLink: (request) => showAccountLinkPage(dependencies, request),
  certs: async () =>
    createOAuthEndpointResponse(
      { ...(await dependencies.keys.publicKeys()) },
      { 'cache-control': 'public, max-age=300' },
    ),
  userinfo: (request) => userinfo(dependencies, request),
  introspect: withOAuthErrors((request) => introspect(dependencies, request)),
  revoke: withOAuthErrors((request) => revoke(dependencies, request)),
  logout: withOAuthErrors((request) => handleLogoutRequest(dependencies, request)),
  discovery: async ({ baseUrl }) => {
    const { clientDocuments, isRegistrationOpen } = dependencies
    const document = buildOpenIdConfiguration(baseUrl, {
      hasClientDocuments: clientDocuments !== null,
      isRegistrationOpen,
    })
    return createOAuthEndpointResponse(document, { 'cache-control': 'public, max-age=300' })
  },
  protectedResource: async ({ baseUrl }) =>
    createOAuthEndpointResponse(buildProtectedResourceMetadata(baseUrl), { 'cache-control': 'public, max-age=300' }),
  register: withOAuthErrors((request) => handleRegistration(dependencies, request)),
})

/** Converts problems to OAuth error responses. */
const withOAuthErrors =
  (endpoint: UntranslatedEndpoint): UntranslatedEndpoint =>
  async (request) => {
    try {
      return await endpoint(request)
    } catch (error) {
      if (error instanceof OAuthProblem) return createProblemResponse(error)
      if (error instanceof Problem && error.problem === 'rate-limited') {
        const headers = { 'retry-after': String(error.extra['retry_after_s'] ?? 1) }
        return createProblemResponse(new OAuthProblem('temporarily_unavailable', error.message, 429, headers))
      }
      throw error
    }
  }

/**
 * OpenID Connect core 5.3, with the organization, the role, the kind and the scopes of the caller in addition to the
 * standard claims. Accepts the credentials that operations accept: a token, or an API key in either header.
 */
async function userinfo(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  const requirement = { public: false, scope: null }
  const principal = await authenticatePrincipal(dependencies, toUserInfoCredentials(request), requirement)
  const user = principal.kind === 'human' ? await findUserAuth(dependencies.unscoped, principal.id) : null
  return createOAuthEndpointResponse({
    sub: principal.id,
    kind: principal.kind,
    ...(user ? { email: user.email, preferred_username: user.email } : {}),
    ...(user?.name ? { name: user.name } : {}),
    organization_id: principal.organization,
    role: principal.role,
    scope: principal.scopes.join(' '),
  })
}

const toCredentials = ({ authorization, apiKey, address }: IdentityEndpointRequest) => ({
  authorization,
  apiKey,
  address,
})

/** A token may be in the form of a POST instead of a header (RFC 6750 2.2), never in a URL. */
function toUserInfoCredentials(request: IdentityEndpointRequest) {
  const credentials = toCredentials(request)
  const token = request.method === 'POST' ? request.form.get('access_token') : null
  const isAlone = token !== null && credentials.authorization === null && credentials.apiKey === null
  return isAlone ? { ...credentials, authorization: `Bearer ${token}` } : credentials
}

const inactiveResponse = createOAuthEndpointResponse({ active: false })

/**
 * RFC 7662. The caller must be confidential: authenticated by an API key, as the secret of a client, or by a token. Whoever found a
 * token somewhere does not learn here whose it is.
 */
async function introspect(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  const program = await requireClient(dependencies, request)
  const token = requireFormField(request.form, 'token')
  if (program && !(await isTokenOf(dependencies, token, program))) return inactiveResponse
  const claims = await dependencies.tokens.verify(token)
  if (!claims)
    return hasTokenPrefix('api_key', token) || hasTokenPrefix('personal_token', token)
      ? introspectApiKey(dependencies, request, token)
      : introspectRefreshToken(dependencies, token)
  const principal = await findPrincipal(dependencies, request, token)
  if (!principal) return inactiveResponse
  return createOAuthEndpointResponse({
    active: true,
    token_type: 'Bearer',
    client_id: claims.client_id,
    sub: claims.subject,
    kind: claims.kind,
    scope: principal.scopes.join(' '),
    organization: principal.organization,
    sid: claims.session,
    iss: claims.issuer,
    aud: claims.audience,
    jti: claims.token_id,
    iat: claims.issued_at.getTime() / 1000,
    exp: claims.expires_at.getTime() / 1000,
  })
}

/** Null for an invalid token. Unknown tokens count against the IP address; throws `rate-limited`. */
async function findPrincipal(dependencies: IdentityDependencies, { address }: IdentityEndpointRequest, token: string) {
  try {
    return await throttleUnknownCredentials(dependencies, address, () =>
      resolveTokenPrincipal(dependencies, token, { address: null }),
    )
  } catch (error) {
    if (error instanceof Problem && error.problem !== 'rate-limited') return null
    throw error
  }
}

async function introspectApiKey(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
  token: string,
): Promise<IdentityEndpointResponse> {
  const principal = await findPrincipal(dependencies, request, token)
  if (!principal) return inactiveResponse
  return createOAuthEndpointResponse({
    active: true,
    client_id: publicClientId,
    sub: principal.id,
    kind: principal.kind,
    scope: principal.scopes.join(' '),
    organization: principal.organization,
  })
}

async function introspectRefreshToken(
  dependencies: IdentityDependencies,
  token: string,
): Promise<IdentityEndpointResponse> {
  const row = await findSessionByRefreshToken(dependencies, token)
  const isActive =
    row && row.used_at === null && row.revoked_at === null && row.token_expires_at > dependencies.clock.now()
  if (!isActive) return inactiveResponse
  return createOAuthEndpointResponse({
    active: true,
    token_type: 'Refresh',
    client_id: row.client?.client_id ?? publicClientId,
    sub: row.user_id ?? row.key_id,
    kind: row.kind,
    sid: row.id,
    iat: Math.floor(row.token_created_at.getTime() / 1000),
    exp: Math.floor(row.token_expires_at.getTime() / 1000),
  })
}

/** The program of others that asks, which is told of its own tokens only; null for any other caller. */
async function requireClient(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<OAuthProgram | null> {
  const { authorization, form } = request
  if (authorization !== null && /^Bearer\b/i.test(authorization)) {
    await authenticatePrincipal(dependencies, toCredentials(request), { public: false, scope: null })
    return null
  }
  const program = await authenticateClient(dependencies, request)
  if (program?.type === 'confidential') return program
  const client = parseClientCredentials(form, authorization)
  if (!dependencies.clients.isProgram(client.id ?? '')) throw createUnknownProgramProblem(client)
  if (client.secret === null) throw createInvalidClientProblem('client_secret must be an API key.', client)
  if (!(await findPrincipal(dependencies, request, client.secret)))
    throw createInvalidClientProblem('The API key is unknown, expired or revoked.', client)
  return null
}

/** True for a token that was issued to this program. */
async function isTokenOf(dependencies: IdentityDependencies, token: string, { id }: OAuthProgram): Promise<boolean> {
  const claims = await dependencies.tokens.verify(token)
  if (claims) return claims.client_id === id
  return (await findSessionByRefreshToken(dependencies, token))?.client?.client_id === id
}

/** RFC 7009: ends the session of the token, or a personal access token. Any other text is ignored. */
async function revoke(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  const token = requireFormField(request.form, 'token')
  const program = await authenticateClient(dependencies, request)
  // RFC 7009 2.1. A text that is no token is ignored.
  if (program && !(await isTokenOf(dependencies, token, program))) return createOAuthEndpointResponse(null)
  if (hasTokenPrefix('api_key', token)) {
    throw new OAuthProblem('unsupported_token_type', 'API keys are revoked with the operation api_keys.revoke.')
  }
  if (hasTokenPrefix('personal_token', token)) await revokePresentedPersonalToken(dependencies, token)
  else await endSessionOfToken(dependencies, token, 'token-revoked')
  return createOAuthEndpointResponse(null)
}

async function endSessionOfToken(dependencies: IdentityDependencies, token: string, reason: string): Promise<void> {
  const session =
    (await dependencies.tokens.verify(token))?.session ?? (await findSessionByRefreshToken(dependencies, token))?.id
  if (session !== undefined) await endSession(dependencies, session, reason)
}
