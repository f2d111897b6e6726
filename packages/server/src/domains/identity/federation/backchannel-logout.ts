import { minute_ms } from '@swath/geo/time-units.ts'
import { Problem } from '../../../engine/problem.ts'
import { isUuid } from '../../../platform/ids.ts'
import { OpenIdFailure } from '../../../platform/integrations/openid/openid-types.ts'
import { toOpenIdClient } from '../../organizations/federation/providers.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import {
  createOAuthEndpointResponse,
  OAuthProblem,
  requireFormField,
  type IdentityEndpointRequest,
  type IdentityEndpointResponse,
} from '../oauth.ts'
import { findOrganizationProvider } from './find-provider.ts'
import { endProviderSessions } from './provider-sessions.ts'

/** Logout tokens that one IP address may send: each makes the platform read the keys of a provider. */
const receivedTokens = { name: 'provider-logouts', max: 300, window_ms: minute_ms }

const max_token_length = 8192

/**
 * OpenID Connect back-channel logout 1.0: a provider reports that somebody signed out there. Ends the sessions that began with the session
 * at the provider, or all of the subject. One answer for each token that is not valid.
 */
export async function handleBackchannelLogout(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  const { unscoped, clock: clocks, signer, openid, rates, log } = dependencies
  const token = requireFormField(request.form, 'logout_token')
  const organization = request.pathParameters?.['organization']?.toLowerCase() ?? ''
  const unit = await rates.take(receivedTokens, request.address)
  if (unit.refused) throw new Problem('rate-limited', 'Too many logout tokens.', { retry_after_s: unit.reset_s })
  const found = isUuid(organization) ? await findOrganizationProvider(unscoped, organization) : null
  if (!found || token.length > max_token_length) throw invalidToken()
  try {
    const logout = await openid.readLogoutToken(toOpenIdClient(found.provider, signer), token)
    await unscoped.transaction((tx) =>
      endProviderSessions(tx, { clocks }, { organization, ...logout, reason: 'provider-signed-out' }),
    )
  } catch (error) {
    if (!(error instanceof OpenIdFailure)) throw error
    log.warn({ err: error, organization }, 'a logout token is not valid')
    throw invalidToken()
  }
  return createOAuthEndpointResponse(null)
}

const invalidToken = (): OAuthProblem => new OAuthProblem('invalid_request', 'The logout token is not valid.')
