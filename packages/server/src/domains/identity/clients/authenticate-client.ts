import { timingSafeEqual } from 'node:crypto'
import type { OAuthClientGrant } from '@swath/contract/schemas/people/oauth-client.ts'
import type { OrganizationClocks } from '../../../platform/clock.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { createInvalidClientProblem, parseClientCredentials, type OAuthClientCredentials } from '../client.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { OAuthProblem, type IdentityEndpointRequest } from '../oauth.ts'
import { toAddressFailureBucket } from '../unknown-credentials.ts'
import { findClient } from './find-client.ts'
import { isOAuthClientId, type OAuthProgram } from './oauth-client.ts'

type ClientRequest = Pick<IdentityEndpointRequest, 'form' | 'authorization' | 'address'>

const secretBucket = toAddressFailureBucket('client-secrets-of-address')

const unknownClientMessage = 'The client is unknown or disabled, or its secret is wrong.'

/**
 * The program of others that sends a request, with its secret if it has one (`client_secret_basic` or `client_secret_post`). Null if
 * the request names none, or one of the platform. Wrong secrets count against the IP address; throws `invalid_client`, or `rate-limited`.
 */
export async function authenticateClient(
  dependencies: IdentityDependencies,
  request: ClientRequest,
): Promise<OAuthProgram | null> {
  const credentials = parseClientCredentials(request.form, request.authorization)
  const { id } = credentials
  if (id === null || !isOAuthClientId(id)) return null
  const client = await findClient(dependencies, id, request.address)
  if (client?.type === 'public') {
    if (credentials.secret === null) return client
    throw createInvalidClientProblem('This client has no secret; it proves itself with PKCE.', credentials)
  }
  return requireSecret(dependencies, request, client, credentials)
}

/** The same response, in the same time, for a client that does not exist. */
async function requireSecret(
  dependencies: IdentityDependencies,
  { address }: ClientRequest,
  client: OAuthProgram | null,
  credentials: OAuthClientCredentials,
): Promise<OAuthProgram> {
  const { throttle, clock } = dependencies
  const isRight = await throttle.attempt([secretBucket(dependencies, address)], async () => {
    const value = hasSecret(client, credentials.secret ?? '', clock)
    return { failed: !value, value }
  })
  if (!client || !isRight) throw createInvalidClientProblem(unknownClientMessage, credentials)
  return client
}

function hasSecret(client: OAuthProgram | null, secret: string, clocks: OrganizationClocks): boolean {
  const presented = Buffer.from(hashSecretSha256(secret), 'hex')
  if (!client || client.organization === null) return false
  const now = clocks.forOrganization(client.organization).now()
  const valid = client.secrets.filter(({ expires_at }) => expires_at === null || expires_at > now)
  return valid.some(({ hash }) => timingSafeEqual(Buffer.from(hash, 'hex'), presented))
}

/** Throws `unauthorized_client` for a client that may not use a grant. */
export function requireGrant(client: OAuthProgram, grant: OAuthClientGrant): void {
  if (client.grants.includes(grant)) return
  throw new OAuthProblem('unauthorized_client', `The client may not use the grant ${grant}.`)
}
