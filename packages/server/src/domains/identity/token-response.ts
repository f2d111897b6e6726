import { refreshSandboxTime } from '../../platform/sandbox/sandbox-times.ts'
import { limits } from '@swath/contract/limits.ts'
import type { Principal } from '../../engine/call.ts'
import { publicClientId } from './access-tokens.ts'
import type { IdentityDependencies } from './dependencies.ts'
import { signIdToken } from './id-token.ts'
import type { IdentityEndpointRequest } from './oauth.ts'
import { toApiKeyPrincipal, toUserPrincipal } from './principals.ts'
import { narrowPrincipal } from './requested-scopes.ts'
import { findSessionUser } from './federation/admission.ts'
import { findApiKeyAuthOfSession } from './store.ts'
import type { SessionClientFields } from './store.sessions.ts'

/** The response of the token endpoint. */
export interface TokenEndpointResponse {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  /** Absent for a client that may not refresh. */
  readonly refresh_token?: string
  readonly refresh_expires_in?: number
  readonly scope: string
  /** Only for clients that requested the scope `openid` with an authorization code. */
  readonly id_token?: string
}

/** A principal with the claims of its tokens. */
export interface TokenSubject {
  readonly principal: Principal
  readonly email?: string
  readonly name?: string | null
}

/** The session that tokens belong to. */
export interface IssuedSession {
  readonly session: string
  readonly refresh_token: string
  readonly client: SessionClientFields | null
  /** The most that these tokens may have; null for all that the principal has. */
  readonly scopes: readonly string[] | null
  /** The resources that the access token is for; null or absent if none was named. */
  readonly resources?: readonly string[] | null
  /** True for a client that may not refresh. */
  readonly withoutRefresh?: boolean
  /** The nonce of the authorization request, which only the first ID token repeats. */
  readonly nonce?: string | null
  /** How the user signed in (RFC 8176). */
  readonly amr?: readonly string[] | null
}

/** The subject of the tokens of a session; null if the user or the API key can no longer sign in. */
export async function findSessionSubject(
  { unscoped, clock }: IdentityDependencies,
  session: { readonly id: string; readonly user_id: string | null; readonly key_id: string | null },
): Promise<TokenSubject | null> {
  if (session.key_id !== null) {
    const key = await findApiKeyAuthOfSession(unscoped, session.id, session.key_id)
    if (key) await refreshSandboxTime({ unscoped, clock }, key.organization_id)
    const principal = key && toApiKeyPrincipal(key, clock)
    return principal && { principal }
  }
  if (session.user_id === null) return null
  const user = await findSessionUser(unscoped, session.id, session.user_id)
  const principal = user && toUserPrincipal(user)
  return principal && { principal, email: user.email, name: user.name }
}

/** Signs the tokens of a session. */
export async function createTokenResponse(
  dependencies: IdentityDependencies,
  { baseUrl }: Pick<IdentityEndpointRequest, 'baseUrl'>,
  { principal: holder, email, name }: TokenSubject,
  { session, refresh_token, client, scopes, nonce = null, amr = null, resources = null, withoutRefresh }: IssuedSession,
): Promise<TokenEndpointResponse> {
  const principal = narrowPrincipal(holder, scopes)
  const access_token = await dependencies.tokens.sign({
    kind: principal.kind === 'api_key' ? 'api_key' : 'human',
    subject: principal.id,
    session,
    organization: principal.organization,
    client_id: client?.client_id ?? publicClientId,
    scopes: principal.scopes,
    resources: resources ?? [],
    baseUrl,
    email,
    name,
  })
  const idToken = { subject: principal.id, session, nonce, amr, access_token, baseUrl }
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: limits.access_token_seconds,
    ...(withoutRefresh ? {} : { refresh_token, refresh_expires_in: limits.refresh_token_seconds }),
    scope: [...(client?.openid ? ['openid'] : []), ...principal.scopes].join(' '),
    ...(client?.openid && client.authenticated_at
      ? {
          id_token: await signIdToken(dependencies.keys, {
            ...idToken,
            client_id: client.client_id,
            authenticated_at: client.authenticated_at,
          }),
        }
      : {}),
  }
}
