import { humanScopes } from '@swath/contract/scopes.ts'
import { issuerUrl } from './access-tokens.ts'
import { grantTypes } from './grants.ts'

/** OpenID Connect discovery 1.0. There is no browser sign-in yet, hence no response types. */
export function openIdConfiguration(baseUrl: string): Readonly<Record<string, unknown>> {
  const issuer = issuerUrl(baseUrl)
  const endpointBase = `${issuer}/protocol/openid-connect`
  const clientAuthMethods = ['none', 'client_secret_post', 'client_secret_basic']
  return {
    issuer,
    token_endpoint: `${endpointBase}/token`,
    jwks_uri: `${endpointBase}/certs`,
    userinfo_endpoint: `${endpointBase}/userinfo`,
    introspection_endpoint: `${endpointBase}/token/introspect`,
    revocation_endpoint: `${endpointBase}/revoke`,
    end_session_endpoint: `${endpointBase}/logout`,
    grant_types_supported: grantTypes,
    response_types_supported: [],
    response_modes_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: clientAuthMethods,
    introspection_endpoint_auth_methods_supported: clientAuthMethods,
    revocation_endpoint_auth_methods_supported: clientAuthMethods,
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
