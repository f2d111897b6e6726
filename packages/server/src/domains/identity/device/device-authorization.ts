import { limits } from '@swath/contract/limits.ts'
import { createInvalidClientProblem, createUnknownProgramProblem, parseClientCredentials } from '../client.ts'
import { authenticateClient, requireGrant } from '../clients/authenticate-client.ts'
import { findWantedScopes, type OAuthProgram } from '../clients/oauth-client.ts'
import { readResources } from '../clients/resource-indicators.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import {
  OAuthProblem,
  createOAuthEndpointResponse,
  type IdentityEndpointRequest,
  type IdentityEndpointResponse,
} from '../oauth.ts'
import { createInvalidScopeProblem, readRequestedScopes } from '../requested-scopes.ts'
import { toAddressFailureBucket } from '../unknown-credentials.ts'
import { issueDeviceCode } from './device-codes.ts'

/** The path below the base URL of the page where users enter their code: short, because people type it. */
export const devicePagePath = '/device'

const requestBucket = toAddressFailureBucket('device-logins-of-address')

/** The client of a device login; `program` is null for one of the platform. */
interface DeviceClient {
  readonly id: string
  readonly program: OAuthProgram | null
}

/** The client of a request for a code, or of a poll. Throws `invalid_request`, `invalid_client` or `unauthorized_client`. */
export async function requireDeviceClient(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<DeviceClient> {
  const { clients } = dependencies
  const client = parseClientCredentials(request.form, request.authorization)
  if (client.id === null) throw new OAuthProblem('invalid_request', 'client_id is required.')
  const program = await authenticateClient(dependencies, request)
  if (program) {
    requireGrant(program, 'device_code')
    return { id: program.id, program }
  }
  if (!clients.isProgram(client.id)) throw createUnknownProgramProblem(client)
  if (client.secret !== null) throw createInvalidClientProblem('This client has no secret; its user signs in.', client)
  return { id: client.id, program: null }
}

/**
 * The device authorization endpoint (RFC 8628 3.1, 3.2). Each request counts against its IP address as a failed sign-in does:
 * nobody needs many codes. Throws `rate-limited`.
 */
export async function authorizeDevice(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  const { id: client_id, program } = await requireDeviceClient(dependencies, request)
  const requested = readRequestedScopes(request.form)
  const scopes = program ? findWantedScopes(program, { openid: false, resources: requested }) : requested
  if (program && scopes === null) throw createInvalidScopeProblem('The client may have none of these scopes.')
  const resources = readResources(request.form, request.baseUrl)
  const { address, baseUrl } = request
  const bucket = requestBucket(dependencies, address)
  await dependencies.throttle.attempt([bucket], async () => ({ failed: true, value: null }))
  const { device_code, user_code } = await issueDeviceCode(dependencies, { client_id, scopes, resources, address })
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
