import { parseClientCredentials, createInvalidClientProblem, type OAuthClientCredentials } from '../client.ts'
import { authenticateClient, requireGrant } from '../clients/authenticate-client.ts'
import { recordClientUse } from '../clients/find-client.ts'
import { readResources } from '../clients/resource-indicators.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { recordChosenOrganization } from '../memberships/choose-organization.ts'
import { OAuthProblem, requireFormField, type IdentityEndpointRequest } from '../oauth.ts'
import { secondFactorMessage } from '../second-factor/second-factor-of-grant.ts'
import { toSessionOrigin } from '../account/session-origin.ts'
import { createTokenResponse, findSessionSubject, type TokenEndpointResponse } from '../token-response.ts'
import { redeemAuthorizationCode, type AuthorizationCodeRefusal } from './authorization-codes.ts'

const refusalMessages: Readonly<Record<AuthorizationCodeRefusal, string>> = {
  unknown: 'it is unknown',
  reused: 'it was used before, so the tokens that it gave were revoked',
  expired: 'it has expired',
  mismatch: 'client_id, redirect_uri or code_verifier differ from those of the authorization request',
  signedOut: 'the user has signed out, or can no longer sign in',
  secondFactor: secondFactorMessage,
  noScope: 'the user has none of the scopes that were asked for',
}

const invalidCode = (refusal: AuthorizationCodeRefusal): OAuthProblem =>
  new OAuthProblem(
    refusal === 'noScope' ? 'invalid_scope' : 'invalid_grant',
    `The code is not valid: ${refusalMessages[refusal]}.`,
  )

/** RFC 7636 4.1. */
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/

/** The grant `authorization_code` of a public client (RFC 6749 4.1.3, RFC 7636 4.5). */
export async function handleAuthorizationCodeGrant(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<TokenEndpointResponse> {
  const { form, authorization } = request
  const client = parseClientCredentials(form, authorization)
  if (client.id === null) throw new OAuthProblem('invalid_request', 'client_id is required.')
  const program = await authenticateClient(dependencies, request)
  if (program) requireGrant(program, 'authorization_code')
  else requirePublicClient(dependencies, client)
  const presented = {
    code: requireFormField(form, 'code'),
    client_id: program?.id ?? client.id,
    redirect_uri: requireFormField(form, 'redirect_uri'),
    code_verifier: requireFormField(form, 'code_verifier'),
    resources: readResources(form, request.baseUrl),
    origin: toSessionOrigin(request, 'authorization_code', null),
  }
  if (!verifierPattern.test(presented.code_verifier))
    throw new OAuthProblem('invalid_request', 'code_verifier must have 43 to 128 unreserved characters.')
  const redemption = await redeemAuthorizationCode(dependencies, presented)
  if (redemption.outcome !== 'redeemed') throw invalidCode(redemption.outcome)
  const { user_id, organization_id, issued } = redemption
  const subject = await findSessionSubject(dependencies, { id: issued.session, user_id, key_id: null })
  if (!subject) throw invalidCode('signedOut')
  if (organization_id !== null && !program) await recordChosenOrganization(dependencies, user_id, organization_id)
  if (!program) return createTokenResponse(dependencies, request, subject, issued)
  await recordClientUse(dependencies, program)
  const withoutRefresh = !program.grants.includes('refresh_token')
  return createTokenResponse(dependencies, request, subject, { ...issued, withoutRefresh })
}

/** Throws `invalid_client` for any id but those of the clients of the platform, which have no secrets. */
function requirePublicClient({ clients }: IdentityDependencies, client: OAuthClientCredentials): void {
  if (!clients.find(client.id ?? '')) throw createInvalidClientProblem('The client_id is not registered.', client)
  if (client.secret !== null)
    throw createInvalidClientProblem('This client has no secret; it proves itself with PKCE.', client)
}
