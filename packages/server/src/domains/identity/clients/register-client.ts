import { timingSafeEqual } from 'node:crypto'
import { limits } from '@swath/contract/limits.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { generateToken } from '../../../platform/crypto/token-prefixes.ts'
import { isUuid, newId } from '../../../platform/ids.ts'
import { buildIssuerUrl } from '../access-tokens.ts'
import { parseBearerToken } from '../authenticate.ts'
import { deleteConsentsOfClient } from '../consents/store.consents.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import {
  createOAuthEndpointResponse,
  noStoreHeaders,
  type IdentityEndpointRequest,
  type IdentityEndpointResponse,
} from '../oauth.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import { toAddressFailureBucket } from '../unknown-credentials.ts'
import { ClientMetadataError, readClientMetadata, type ClientMetadata } from './client-metadata.ts'
import { grantTypeNames } from './oauth-client.ts'
import { markClientSessionsRevoked } from './store.oauth-clients.ts'
import {
  countRegisteredClients,
  deleteRegisteredClient,
  findRegisteredClient,
  insertRegisteredClient,
  updateRegisteredClient,
  type RegisteredClientRow,
} from './store.registered-clients.ts'

/** The path of the endpoint below the issuer. */
export const registrationPath = '/clients-registrations/openid-connect'

const registrationBucket = toAddressFailureBucket('client-registrations-of-address')

/**
 * Dynamic registration of public clients (RFC 7591), and reading, changing and deleting one with its registration access token (RFC 7592).
 * Each registration counts against its IP address as a failed sign-in does. Throws `rate-limited`.
 */
export async function handleRegistration(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  if (request.method === 'POST') {
    if (!dependencies.isRegistrationOpen)
      return respondError(403, 'access_denied', 'Clients cannot register themselves here.')
    return withMetadataErrors(() => register(dependencies, request))
  }
  const client = await findAuthenticatedClient(dependencies, request)
  if (!client) return respondUnknownToken()
  if (request.method === 'DELETE') return unregister(dependencies, client)
  if (request.method === 'GET') return respondClient(request, client, null, 200)
  return withMetadataErrors(() => change(dependencies, request, client))
}

const respondError = (status: number, error: string, error_description: string): IdentityEndpointResponse =>
  createOAuthEndpointResponse({ error, error_description }, noStoreHeaders, status)

const respondUnknownToken = (): IdentityEndpointResponse =>
  createOAuthEndpointResponse(
    { error: 'invalid_token', error_description: 'The registration access token is not one of this client.' },
    { ...noStoreHeaders, 'www-authenticate': 'Bearer error="invalid_token"' },
    401,
  )

async function withMetadataErrors(work: () => Promise<IdentityEndpointResponse>): Promise<IdentityEndpointResponse> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ClientMetadataError) return respondError(400, error.code, error.message)
    throw error
  }
}

async function register(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  const { unscoped, clock, throttle } = dependencies
  const metadata = readClientMetadata(request.json)
  const bucket = registrationBucket(dependencies, request.address)
  await throttle.attempt([bucket], async () => ({ failed: true, value: null }))
  if ((await countRegisteredClients(unscoped)) >= limits.max_registered_clients)
    return respondError(503, 'temporarily_unavailable', 'Too many clients have registered themselves; try again later.')
  const token = generateToken('registration_token', 48)
  const now = clock.now()
  const client: RegisteredClientRow = {
    ...metadata,
    id: newId(),
    token_hash: hashSecretSha256(token),
    address: request.address,
    created_at: now,
    last_used_at: now,
  }
  await insertRegisteredClient(unscoped, client)
  return respondClient(request, client, token, 201)
}

function respondClient(
  { baseUrl }: IdentityEndpointRequest,
  client: RegisteredClientRow | (ClientMetadata & Pick<RegisteredClientRow, 'id' | 'created_at'>),
  token: string | null,
  status: number,
): IdentityEndpointResponse {
  const body = {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.created_at.getTime() / 1000),
    client_name: client.name,
    redirect_uris: client.redirect_uris,
    grant_types: client.grants.map((grant) => grantTypeNames[grant]),
    response_types: client.grants.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: 'none',
    scope: client.scopes.join(' '),
    ...(client.home_url === null ? {} : { client_uri: client.home_url }),
    ...(client.logo_url === null ? {} : { logo_uri: client.logo_url }),
    registration_client_uri: `${buildIssuerUrl(baseUrl)}${registrationPath}?client_id=${client.id}`,
    ...(token === null ? {} : { registration_access_token: token }),
  }
  return createOAuthEndpointResponse(body, noStoreHeaders, status)
}

/** The client that the URL names, if the request has its registration access token. */
async function findAuthenticatedClient(
  { unscoped }: IdentityDependencies,
  { query, authorization }: IdentityEndpointRequest,
): Promise<RegisteredClientRow | null> {
  const id = query.get('client_id') ?? ''
  const token = authorization === null ? null : parseBearerToken(authorization)
  const client = isUuid(id) ? await findRegisteredClient(unscoped, id.toLowerCase()) : null
  if (!client || token === null) return null
  const isRight = timingSafeEqual(Buffer.from(client.token_hash, 'hex'), Buffer.from(hashSecretSha256(token), 'hex'))
  return isRight ? client : null
}

async function change(
  { unscoped }: IdentityDependencies,
  request: IdentityEndpointRequest,
  client: RegisteredClientRow,
): Promise<IdentityEndpointResponse> {
  const metadata = readClientMetadata(request.json)
  if ((request.json as { client_id?: unknown }).client_id !== client.id)
    throw new ClientMetadataError('invalid_client_metadata', 'client_id must be that of the client.')
  await updateRegisteredClient(unscoped, { ...metadata, id: client.id })
  return respondClient(request, { ...metadata, id: client.id, created_at: client.created_at }, null, 200)
}

/** Its tokens end, and what persons have granted to it is forgotten. */
async function unregister(
  { unscoped, clock }: IdentityDependencies,
  { id }: RegisteredClientRow,
): Promise<IdentityEndpointResponse> {
  await unscoped.transaction(async (tx) => {
    await deleteRegisteredClient(tx, id)
    await deleteConsentsOfClient(tx, id)
    await markClientSessionsRevoked(tx, id, { reason: 'client-deleted', at: clock.now() })
    await publishPrincipalChange(tx, `client:${id}`)
  })
  return createOAuthEndpointResponse(null, noStoreHeaders, 204)
}
