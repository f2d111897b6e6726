import { assertInvariant } from '../../../engine/problem.ts'
import { refreshSandboxTime } from '../../../platform/sandbox/sandbox-times.ts'
import { createInvalidClientProblem } from '../client.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointRequest } from '../oauth.ts'
import { toApiKeyPrincipal } from '../principals.ts'
import { readRequestedScopes, requireSessionScopes } from '../requested-scopes.ts'
import { createSession } from '../sessions.ts'
import { findApiKeyAuth } from '../store.ts'
import { createTokenResponse, type TokenEndpointResponse } from '../token-response.ts'
import { requireGrant } from './authenticate-client.ts'
import type { OAuthProgram } from './oauth-client.ts'
import { readResources } from './resource-indicators.ts'

/**
 * The grant `client_credentials` of a confidential client, which acts for its organization: as an API key with its id would, with the
 * role of who created it. It gets no refresh token (RFC 6749 4.4.3).
 */
export async function handleClientGrant(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
  program: OAuthProgram,
): Promise<TokenEndpointResponse> {
  const { unscoped, clock } = dependencies
  requireGrant(program, 'client_credentials')
  const { id, organization } = program
  assertInvariant(organization !== null, 'only a client of an organization has this grant')
  const requested = readRequestedScopes(request.form)
  const resources = readResources(request.form, request.baseUrl)
  await refreshSandboxTime(dependencies, organization)
  const key = await findApiKeyAuth(unscoped, organization, id)
  const principal = key && toApiKeyPrincipal(key, clock)
  if (!principal)
    throw createInvalidClientProblem('Whoever this client acts for may not act any more.', { basic: false })
  const scopes = requireSessionScopes(principal, requested)
  const client = { client_id: id, browser_session_id: null, authenticated_at: null, openid: false }
  const owner = { kind: 'api_key', key: id, organization } as const
  const session = await createSession(unscoped, owner, clock.now(), { scopes, client, resources })
  return createTokenResponse(
    dependencies,
    request,
    { principal },
    { ...session, client, resources, withoutRefresh: true },
  )
}
