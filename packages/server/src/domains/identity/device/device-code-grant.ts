import { recordClientUse } from '../clients/find-client.ts'
import { chooseResources, readResources } from '../clients/resource-indicators.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { OAuthProblem, requireFormField, type IdentityEndpointRequest, type OAuthErrorCode } from '../oauth.ts'
import { secondFactorMessage } from '../second-factor/second-factor-of-grant.ts'
import { toSessionOrigin } from '../account/session-origin.ts'
import { createTokenResponse, findSessionSubject, type TokenEndpointResponse } from '../token-response.ts'
import { recordUnknownCredentialsFailure } from '../unknown-credentials.ts'
import { requireDeviceClient } from './device-authorization.ts'
import { redeemDeviceCode, type DeviceCodeRefusal } from './device-codes.ts'

export const deviceCodeGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

const refusals: Readonly<Record<DeviceCodeRefusal, readonly [OAuthErrorCode, string]>> = {
  unknown: ['invalid_grant', 'The device code is unknown.'],
  reused: ['invalid_grant', 'The device code was used before, so the tokens that it gave were revoked.'],
  mismatch: ['invalid_grant', 'The device code was issued to another client.'],
  noScope: ['invalid_scope', 'The user has none of the scopes that were asked for.'],
  secondFactor: ['invalid_grant', `The device cannot sign in: ${secondFactorMessage}.`],
  signedOut: ['invalid_grant', 'The user has signed out, or can no longer sign in.'],
  expired: ['expired_token', 'The device code has expired. Ask for another one.'],
  denied: ['access_denied', 'The user has denied the device login.'],
  pending: ['authorization_pending', 'The user has not decided yet.'],
  tooEarly: ['slow_down', 'Ask again five seconds later than before.'],
}

const refuse = (refusal: DeviceCodeRefusal): OAuthProblem => new OAuthProblem(...refusals[refusal])

/** The grant of a device code (RFC 8628 3.4, 3.5). Unknown codes count against the IP address; throws `rate-limited`. */
export async function handleDeviceCodeGrant(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<TokenEndpointResponse> {
  const { id: client_id, program } = await requireDeviceClient(dependencies, request)
  const device_code = requireFormField(request.form, 'device_code')
  const redemption = await redeemDeviceCode(dependencies, {
    device_code,
    client_id,
    origin: toSessionOrigin(request, 'device_code', null),
  })
  if (redemption.outcome === 'unknown') await recordUnknownCredentialsFailure(dependencies, request.address)
  if (redemption.outcome !== 'redeemed') throw refuse(redemption.outcome)
  const { user_id, issued } = redemption
  const subject = await findSessionSubject(dependencies, { id: issued.session, user_id, key_id: null })
  if (!subject) throw refuse('signedOut')
  const resources = chooseResources(readResources(request.form, request.baseUrl), issued.resources ?? null)
  if (program) await recordClientUse(dependencies, program)
  const withoutRefresh = program !== null && !program.grants.includes('refresh_token')
  return createTokenResponse(dependencies, request, subject, { ...issued, resources, withoutRefresh })
}
