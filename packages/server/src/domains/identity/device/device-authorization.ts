import { limits } from '@swath/contract/limits.ts'
import { createInvalidClientProblem, createUnknownProgramProblem, parseClientCredentials } from '../client.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import {
  OAuthProblem,
  createOAuthEndpointResponse,
  type IdentityEndpointRequest,
  type IdentityEndpointResponse,
} from '../oauth.ts'
import { readRequestedScopes } from '../requested-scopes.ts'
import { toAddressFailureBucket } from '../unknown-credentials.ts'
import { issueDeviceCode } from './device-codes.ts'

/** The path below the base URL of the page where users enter their code: short, because people type it. */
export const devicePagePath = '/device'

const requestBucket = toAddressFailureBucket('device-logins-of-address')

/** The client of a request for a code, or of a poll. Throws `invalid_request` or `invalid_client`. */
export function requireDeviceClient(
  { clients }: Pick<IdentityDependencies, 'clients'>,
  { form, authorization }: IdentityEndpointRequest,
): string {
  const client = parseClientCredentials(form, authorization)
  if (client.id === null) throw new OAuthProblem('invalid_request', 'client_id is required.')
  if (!clients.isProgram(client.id)) throw createUnknownProgramProblem(client)
  if (client.secret !== null) throw createInvalidClientProblem('This client has no secret; its user signs in.', client)
  return client.id
}

/**
 * The device authorization endpoint (RFC 8628 3.1, 3.2). Each request counts against its IP address as a failed sign-in does:
 * nobody needs many codes. Throws `rate-limited`.
 */
export async function authorizeDevice(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  const client_id = requireDeviceClient(dependencies, request)
  const scopes = readRequestedScopes(request.form)
  const { address, baseUrl } = request
  const bucket = requestBucket(dependencies, address)
  await dependencies.throttle.attempt([bucket], async () => ({ failed: true, value: null }))
  const { device_code, user_code } = await issueDeviceCode(dependencies, { client_id, scopes, address })
  const verification_uri = `${baseUrl}${devicePagePath}`
  return createOAuthEndpointResponse({
    device_code,
    user_code,
    verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
    expires_in: limits.device_code_seconds,
    interval: limits.device_poll_seconds,
  })
}
