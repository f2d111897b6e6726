import { intersectScopes } from '@swath/contract/scopes.ts'
import { refreshSandboxTime } from '../../platform/sandbox/sandbox-times.ts'
import { assertInvariant } from '../../engine/problem.ts'
import { isUuid } from '../../platform/ids.ts'
import { parseApiKey } from '../../platform/crypto/secrets.ts'
import { handleAuthorizationCodeGrant } from './browser/authorization-code-grant.ts'
import { parseClientCredentials, createInvalidClientProblem, createUnknownProgramProblem } from './client.ts'
import { authenticateClient, requireGrant } from './clients/authenticate-client.ts'
import { handleClientGrant } from './clients/client-credentials-grant.ts'
import { recordClientUse } from './clients/find-client.ts'
import { isOAuthClientId, type OAuthProgram } from './clients/oauth-client.ts'
import { createOtherResourceProblem, readResources } from './clients/resource-indicators.ts'
import { deviceCodeGrantType, handleDeviceCodeGrant } from './device/device-code-grant.ts'
import type { IdentityEndpointRequest } from './oauth.ts'
import { getFormField, OAuthProblem, requireFormField } from './oauth.ts'
import type { IdentityDependencies } from './dependencies.ts'
import { needsProvider, providerNeededMessage } from './federation/admission.ts'
import { findUserIn, notMemberMessage, recordChosenOrganization } from './memberships/choose-organization.ts'
import {
  recordAdministratorSignIn,
  verifyUserPassword,
  withVerifiedPassword,
  wrongPasswordMessage,
} from './password-sign-in.ts'
import { toApiKeyPrincipal, toUserPrincipal } from './principals.ts'
import { createInvalidScopeProblem, readRequestedScopes, requireSessionScopes } from './requested-scopes.ts'
import {
  requireRuleOfGrant,
  requireSecondFactorOfGrant,
  secondFactorMessage,
} from './second-factor/second-factor-of-grant.ts'
import { toSessionOrigin } from './account/session-origin.ts'
import { endSession, createSession, rotateRefreshToken, type RefreshTokenRefusal } from './sessions.ts'
import { findApiKeyAuthByHash } from './store.ts'
import { createTokenResponse, findSessionSubject, type TokenEndpointResponse } from './token-response.ts'
import { signInFailureBucket } from './unknown-credentials.ts'

type GrantHandler = (
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
) => Promise<TokenEndpointResponse>

const grantHandlers: Readonly<Record<string, GrantHandler>> = {
  authorization_code: handleAuthorizationCodeGrant,
  password: handlePasswordGrant,
  client_credentials: handleClientCredentialsGrant,
  refresh_token: handleRefreshGrant,
  [deviceCodeGrantType]: handleDeviceCodeGrant,
}

export const oauthGrantTypes: readonly string[] = Object.keys(grantHandlers)

/** Handles a token request by its `grant_type`; throws an `OAuthProblem`, or `rate-limited`. */
export async function handleTokenRequest(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<TokenEndpointResponse> {
  const type = requireFormField(request.form, 'grant_type')
  const grant = Object.hasOwn(grantHandlers, type) ? grantHandlers[type] : undefined
  if (!grant) throw new OAuthProblem('unsupported_grant_type', `The grant types are ${oauthGrantTypes.join(', ')}.`)
  return await grant(dependencies, request)
}

async function handlePasswordGrant(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<TokenEndpointResponse> {
  const { id: client_id } = parseClientCredentials(request.form, request.authorization)
  if (isOAuthClientId(client_id ?? ''))
    throw new OAuthProblem('unauthorized_client', 'Programs of others never see passwords.')
  const username = requireFormField(request.form, 'username')
  const password = requireFormField(request.form, 'password')
  const organization = getFormField(request.form, 'organization_id')
  const requested = readRequestedScopes(request.form)
  const resources = readResources(request.form, request.baseUrl)
  const verified = await verifyUserPassword(dependencies, { username, password, address: request.address })
  if (!verified) throw new OAuthProblem('invalid_grant', wrongPasswordMessage)
  const amr = await requireSecondFactorOfGrant(dependencies, request, verified)
  const user = await findUserIn(dependencies.unscoped, organization, verified.id, null)
  const principal = user && toUserPrincipal(user)
  if (!principal) throw new OAuthProblem('invalid_grant', await explainRefusal(dependencies, organization, verified.id))
  requireRuleOfGrant(user, amr)
  const now = dependencies.clock.now()
  const owner = { kind: 'human', user: user.id, organization: principal.organization } as const
  const scopes = requireSessionScopes(principal, requested)
  const origin = toSessionOrigin(request, 'password', now)
  const terms = { scopes, resources, amr, origin }
  const session = await withVerifiedPassword(dependencies, verified, (tx) => createSession(tx, owner, now, terms))
  if (!session) throw new OAuthProblem('invalid_grant', wrongPasswordMessage)
  if (organization !== null && user.organization_id !== null)
    await recordChosenOrganization(dependencies, user.id, user.organization_id)
  await recordAdministratorSignIn(dependencies, user)
  const subject = { principal, email: user.email, name: user.name }
  return createTokenResponse(dependencies, request, subject, { ...session, client: null, resources })
}

/** Why a user whose password is right gets no token. */
async function explainRefusal(
  { unscoped }: IdentityDependencies,
  organization: string | null,
  user: string,
): Promise<string> {
  const named = organization === null ? null : organization.toLowerCase()
  const isProviderNeeded = named === null || (isUuid(named) && (await needsProvider(unscoped, named, user)))
  return isProviderNeeded ? providerNeededMessage : notMemberMessage
}

async function handleClientCredentialsGrant(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<TokenEndpointResponse> {
  const program = await authenticateClient(dependencies, request)
  if (program) return handleClientGrant(dependencies, request, program)
  const client = parseClientCredentials(request.form, request.authorization)
  if (client.id === null) throw new OAuthProblem('invalid_request', 'client_id is required.')
  if (!dependencies.clients.isProgram(client.id)) throw createUnknownProgramProblem(client)
  const { secret } = client
  if (secret === null) throw createInvalidClientProblem('client_secret must be an API key.', client)
  const requested = readRequestedScopes(request.form)
  const resources = readResources(request.form, request.baseUrl)
  const principal = await dependencies.throttle.attempt(
    [signInFailureBucket(dependencies, request.address)],
    async () => {
      const key = parseApiKey(secret)
      const row = key && (await findApiKeyAuthByHash(dependencies.unscoped, key))
      if (row) await refreshSandboxTime(dependencies, row.organization_id)
      const value = row && toApiKeyPrincipal(row, dependencies.clock)
      return { failed: value === null, value }
    },
  )
  if (!principal) throw createInvalidClientProblem('The API key is unknown, expired or revoked.', client)
  dependencies.keyUsage.record(principal, request.address)
  const { id, organization } = principal
  assertInvariant(organization !== null, 'an API key belongs to an organization')
  const owner = { kind: 'api_key', key: id, organization } as const
  const scopes = requireSessionScopes(principal, requested)
  const session = await createSession(dependencies.unscoped, owner, dependencies.clock.now(), { scopes, resources })
  return createTokenResponse(dependencies, request, { principal }, { ...session, client: null, resources })
}

async function handleRefreshGrant(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<TokenEndpointResponse> {
  const program = await authenticateClient(dependencies, request)
  if (program) requireGrant(program, 'refresh_token')
  const client_id = program?.id ?? parseClientCredentials(request.form, request.authorization).id
  const token = requireFormField(request.form, 'refresh_token')
  const organization = getFormField(request.form, 'organization_id')
  // The user has consented for one organization.
  if (program && organization !== null)
    throw new OAuthProblem('invalid_request', 'The user chooses the organization of a program of others.')
  const requested = readRequestedScopes(request.form)
  const resources = readResources(request.form, request.baseUrl)
  const rotation = await rotateRefreshToken(dependencies, token, {
    client_id,
    organization,
    scopes: requested,
    resources,
  })
  if (rotation.outcome !== 'rotated') throw refuseRefresh(rotation.outcome)
  const { session, refresh_token } = rotation
  if (organization !== null && session.user_id !== null && session.organization_id !== null)
    await recordChosenOrganization(dependencies, session.user_id, session.organization_id)
  const subject = await findSessionSubject(dependencies, session)
  if (!subject) {
    await endSession(dependencies, session.id, 'holder-gone')
    throw new OAuthProblem(
      'invalid_grant',
      'The refresh token is not valid: its user or API key can no longer sign in.',
    )
  }
  if (program) await recordClientUse(dependencies, program)
  return createTokenResponse(dependencies, request, subject, {
    session: session.id,
    refresh_token,
    client: session.client,
    resources: resources ?? session.resources,
    scopes: chooseRefreshScopes(requested, session.scopes, program),
    amr: session.amr,
  })
}

/** Those of the session that the request names, as far as a program of others may still have them. */
function chooseRefreshScopes(
  requested: readonly string[] | null,
  granted: readonly string[] | null,
  program: OAuthProgram | null,
): readonly string[] | null {
  const scopes = requested === null || granted === null ? (requested ?? granted) : intersectScopes(requested, granted)
  return program && scopes !== null ? intersectScopes(scopes, program.scopes) : scopes
}

function refuseRefresh(refusal: RefreshTokenRefusal): OAuthProblem {
  if (refusal === 'wider') return createInvalidScopeProblem('A refresh cannot add scopes.')
  if (refusal === 'otherResource') return createOtherResourceProblem()
  return new OAuthProblem('invalid_grant', `The refresh token is not valid: ${refreshErrorMessages[refusal]}.`)
}

const refreshErrorMessages: Readonly<Record<Exclude<RefreshTokenRefusal, 'wider' | 'otherResource'>, string>> = {
  unknown: 'it is unknown',
  expired: 'it has expired',
  revoked: 'its session has ended',
  reused: 'it was used before, so its session was revoked',
  otherClient: 'it was issued to another client',
  secondFactor: secondFactorMessage,
  notMember: 'the organization that is to be switched to is not one of its user',
}
