import { Problem } from '../../engine/problem.ts'
import { looksLikeApiKey } from '../../platform/crypto/secrets.ts'
import { clientId } from './access-tokens.ts'
import { authenticate, bearerOf, principalOfToken } from './authenticate.ts'
import { readClient, refuseClient } from './client.ts'
import { discoveryOf } from './discovery.ts'
import { grantTokens } from './grants.ts'
import {
  answer,
  answerRefusal,
  fieldOf,
  OAuthRefusal,
  requireField,
  type EndpointAnswer,
  type EndpointRequest,
} from './oauth.ts'
import { countUnknown } from './wrong-credentials.ts'
import type { IdentityParts } from './parts.ts'
import { endSession, findSessionOfToken } from './sessions.ts'
import { findPerson } from './store.ts'

export type Endpoint = (request: EndpointRequest) => Promise<EndpointAnswer>

/** The endpoints of the realm, as functions of parsed requests. */
export interface Endpoints {
  readonly token: Endpoint
  readonly certs: Endpoint
  readonly userinfo: Endpoint
  readonly introspect: Endpoint
  readonly revoke: Endpoint
  readonly logout: Endpoint
  readonly discovery: Endpoint
}

export const makeEndpoints = (parts: IdentityParts): Endpoints => ({
  token: refusing(async (request) => answer({ ...(await grantTokens(parts, request)) })),
  certs: async () => answer({ ...(await parts.keys.publicKeys()) }, { 'cache-control': 'public, max-age=300' }),
  userinfo: (request) => userinfo(parts, request),
  introspect: refusing((request) => introspect(parts, request)),
  revoke: refusing((request) => revoke(parts, request)),
  logout: refusing((request) => logout(parts, request)),
  discovery: async ({ base }) => answer(discoveryOf(base), { 'cache-control': 'public, max-age=300' }),
})

/** Converts problems to OAuth error responses. */
const refusing =
  (endpoint: Endpoint): Endpoint =>
  async (request) => {
    try {
      return await endpoint(request)
    } catch (error) {
      if (error instanceof OAuthRefusal) return answerRefusal(error)
      if (error instanceof Problem && error.problem === 'rate-limited') {
        const headers = { 'retry-after': String(error.extra['retry_after_s'] ?? 1) }
        return answerRefusal(new OAuthRefusal('temporarily_unavailable', error.message, 429, headers))
      }
      throw error
    }
  }

/**
 * OpenID Connect core 5.3, with the organization, the role, the kind and the scopes of the caller in addition to the
 * standard claims. Accepts the credentials that operations accept: a token, or an API key in either header.
 */
async function userinfo(parts: IdentityParts, request: EndpointRequest): Promise<EndpointAnswer> {
  const asked = { public: false, scope: null }
  const principal = await authenticate(parts, credentialsOf(request), asked)
  const person = principal.kind === 'human' ? await findPerson(parts.across, principal.id) : null
  return answer({
    sub: principal.id,
    kind: principal.kind,
    ...(person ? { email: person.email, preferred_username: person.email } : {}),
    ...(person?.name ? { name: person.name } : {}),
    organization_id: principal.organization,
    role: principal.role,
    scope: principal.scopes.join(' '),
  })
}

const credentialsOf = ({ authorization, apiKey, address }: EndpointRequest) => ({ authorization, apiKey, address })

const inactive = answer({ active: false })

/**
 * RFC 7662. The caller must be a client of the platform: the public one by its id, or one with an API key or a token.
 * Tokens cannot be guessed, so holding one is enough to introspect it.
 */
async function introspect(parts: IdentityParts, request: EndpointRequest): Promise<EndpointAnswer> {
  await requireClient(parts, request)
  const token = requireField(request.form, 'token')
  const claims = await parts.tokens.verify(token)
  if (!claims) return looksLikeApiKey(token) ? introspectKey(parts, request, token) : introspectRefresh(parts, token)
  const principal = await principalOrNull(parts, request, token)
  if (!principal) return inactive
  return answer({
    active: true,
    token_type: 'Bearer',
    client_id: clientId,
    sub: claims.subject,
    kind: claims.kind,
    scope: principal.scopes.join(' '),
    organization: principal.organization,
    sid: claims.session,
    iss: claims.issuer,
    aud: clientId,
    jti: claims.token_id,
    iat: claims.issued_at.getTime() / 1000,
    exp: claims.expires_at.getTime() / 1000,
  })
}

/** Null for an invalid token. Unknown tokens count against the IP address; throws `rate-limited`. */
async function principalOrNull(parts: IdentityParts, { address }: EndpointRequest, token: string) {
  try {
    return await countUnknown(parts, address, () => principalOfToken(parts, token))
  } catch (error) {
    if (error instanceof Problem && error.problem !== 'rate-limited') return null
    throw error
  }
}

async function introspectKey(parts: IdentityParts, request: EndpointRequest, token: string): Promise<EndpointAnswer> {
  const principal = await principalOrNull(parts, request, token)
  if (!principal) return inactive
  return answer({
    active: true,
    client_id: clientId,
    sub: principal.id,
    kind: principal.kind,
    scope: principal.scopes.join(' '),
    organization: principal.organization,
  })
}

async function introspectRefresh(parts: IdentityParts, token: string): Promise<EndpointAnswer> {
  const row = await findSessionOfToken(parts, token)
  const live = row && row.used_at === null && row.revoked_at === null && row.token_expires_at > parts.clock.now()
  if (!live) return inactive
  return answer({
    active: true,
    token_type: 'Refresh',
    client_id: clientId,
    sub: row.user_id ?? row.key_id,
    kind: row.kind,
    sid: row.id,
    iat: Math.floor(row.token_created_at.getTime() / 1000),
    exp: Math.floor(row.token_expires_at.getTime() / 1000),
  })
}

async function requireClient(parts: IdentityParts, request: EndpointRequest): Promise<void> {
  const { authorization, form } = request
  if (authorization !== null && /^Bearer\b/i.test(authorization)) {
    await authenticate(parts, credentialsOf(request), { public: false, scope: null })
    return
  }
  const client = readClient(form, authorization)
  if (client.id !== clientId) throw refuseClient(`client_id must be "${clientId}".`, client)
  if (client.secret !== null && !(await principalOrNull(parts, request, client.secret))) {
    throw refuseClient('The API key is unknown, expired or revoked.', client)
  }
}

/** RFC 7009: ends the session of the token. Any other text is ignored. */
async function revoke(parts: IdentityParts, { form }: EndpointRequest): Promise<EndpointAnswer> {
  const token = requireField(form, 'token')
  if (looksLikeApiKey(token)) {
    throw new OAuthRefusal('unsupported_token_type', 'API keys are revoked with the operation api_keys.revoke.')
  }
  await endSessionOf(parts, token, 'token-revoked')
  return answer(null)
}

async function endSessionOf(parts: IdentityParts, token: string, because: string): Promise<void> {
  const session = (await parts.tokens.verify(token))?.session ?? (await findSessionOfToken(parts, token))?.id
  if (session !== undefined) await endSession(parts, session, because)
}

/**
 * Ends the session of the token that is sent as `refresh_token`, `id_token_hint` (also an access token) or Bearer.
 * Redirects to `post_logout_redirect_uri` only if it has the origin of the platform.
 */
async function logout(parts: IdentityParts, request: EndpointRequest): Promise<EndpointAnswer> {
  const { form, authorization, base } = request
  const bearer = authorization === null ? null : bearerOf(authorization)
  const shown = [fieldOf(form, 'refresh_token'), fieldOf(form, 'id_token_hint'), bearer]
  for (const token of shown) {
    if (token !== null && !looksLikeApiKey(token)) await endSessionOf(parts, token, 'signed-out')
  }
  const target = returnAddress(base, fieldOf(form, 'post_logout_redirect_uri'), fieldOf(form, 'state'))
  if (target !== null) return answer(null, { 'cache-control': 'no-store', location: target }, 302)
  return answer('You are signed out.\n')
}

function returnAddress(base: string, wanted: string | null, state: string | null): string | null {
  if (wanted === null || !URL.canParse(wanted) || !URL.canParse(base)) return null
  const target = new URL(wanted)
  if (target.origin !== new URL(base).origin || target.username !== '') return null
  if (state !== null) target.searchParams.set('state', state)
  return target.href
}
