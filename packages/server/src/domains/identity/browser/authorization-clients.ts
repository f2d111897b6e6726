import { findClient } from '../clients/find-client.ts'
import { isOAuthClientId, type OAuthProgram } from '../clients/oauth-client.ts'
import { isRegisteredRedirectUri } from '../clients/redirect-uris.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointRequest } from '../oauth.ts'
import { AuthorizationError } from './authorization-error.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { PublicClient, PublicClients } from './public-clients.ts'

/** A program of others, to which users sign in with a browser. */
const toPublicClient = (program: OAuthProgram): PublicClient => ({
  id: program.id,
  name: program.name,
  isRedirectUri: (uri) => isRegisteredRedirectUri(program.redirect_uris, uri),
  program,
})

/** The client that a request names, of the platform or of others. Throws `rate-limited`. */
export async function findAuthorizationClients(
  dependencies: IdentityDependencies,
  { address }: IdentityEndpointRequest,
  parameters: URLSearchParams,
): Promise<Pick<PublicClients, 'find'>> {
  const id = parameters.get('client_id') ?? ''
  const program = isOAuthClientId(id) ? await findClient(dependencies, id, address) : null
  return { find: (name) => (program?.id === name ? toPublicClient(program) : dependencies.clients.find(name)) }
}

/** Throws `unauthorized_client` for a program that may not have codes. */
export function requireCodeGrant(authorization: AuthorizationRequest): void {
  const { program } = authorization.client
  if (!program || program.grants.includes('authorization_code')) return
  throw new AuthorizationError(
    'unauthorized_client',
    'The client may not use the grant authorization_code.',
    authorization,
  )
}
