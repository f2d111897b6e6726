import { humanScopes } from '@swath/contract/scopes.ts'
import { issuerOf } from './access-tokens.ts'
import { grantTypes } from './grants.ts'

/** OpenID Connect discovery 1.0. There is no browser sign-in yet, hence no response types. */
export function discoveryOf(base: string): Readonly<Record<string, unknown>> {
  const issuer = issuerOf(base)
  const at = `${issuer}/protocol/openid-connect`
  const clientProofs = ['none', 'client_secret_post', 'client_secret_basic']
  return {
    issuer,
    token_endpoint: `${at}/token`,
    jwks_uri: `${at}/certs`,
    userinfo_endpoint: `${at}/userinfo`,
    introspection_endpoint: `${at}/token/introspect`,
    revocation_endpoint: `${at}/revoke`,
    end_session_endpoint: `${at}/logout`,
    grant_types_supported: grantTypes,
    response_types_supported: [],
    response_modes_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: clientProofs,
    introspection_endpoint_auth_methods_supported: clientProofs,
    revocation_endpoint_auth_methods_supported: clientProofs,
    scopes_supported: ['openid', ...humanScopes],
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'name',
      'email',
      'preferred_username',
      'kind',
      'organization',
    ],
  }
}
