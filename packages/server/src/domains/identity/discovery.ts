import { accountLanguages } from '@swath/contract/schemas/people/account.ts'
import { humanScopes, openIdScopes, privilegedScopes } from '@swath/contract/scopes.ts'
import { buildIssuerUrl } from './access-tokens.ts'
import { registrationPath } from './clients/register-client.ts'
import { oauthGrantTypes } from './grants.ts'

/** The parts of the document that settings switch off. */
interface SupportedRegistrations {
  readonly hasClientDocuments: boolean
  readonly isRegistrationOpen: boolean
}

/** OpenID Connect discovery 1.0, RFC 8414, RFC 8628, RFC 9207 and RFC 9728. */
export function buildOpenIdConfiguration(
  baseUrl: string,
  { hasClientDocuments, isRegistrationOpen }: SupportedRegistrations,
): Readonly<Record<string, unknown>> {
  const issuer = buildIssuerUrl(baseUrl)
  const endpointBase = `${issuer}/protocol/openid-connect`
  const clientAuthMethods = ['none', 'client_secret_post', 'client_secret_basic']
  return {
    issuer,
    authorization_endpoint: `${endpointBase}/auth`,
    device_authorization_endpoint: `${endpointBase}/auth/device`,
    token_endpoint: `${endpointBase}/token`,
    jwks_uri: `${endpointBase}/certs`,
    userinfo_endpoint: `${endpointBase}/userinfo`,
    introspection_endpoint: `${endpointBase}/token/introspect`,
    revocation_endpoint: `${endpointBase}/revoke`,
    end_session_endpoint: `${endpointBase}/logout`,
    ...(isRegistrationOpen ? { registration_endpoint: `${issuer}${registrationPath}` } : {}),
    client_id_metadata_document_supported: hasClientDocuments,
    protected_resources: [baseUrl],
    grant_types_supported: oauthGrantTypes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    acr_values_supported: ['1', '2'],
    prompt_values_supported: ['none', 'login', 'consent'],
    ui_locales_supported: accountLanguages,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: clientAuthMethods,
    introspection_endpoint_auth_methods_supported: clientAuthMethods.slice(1),
    revocation_endpoint_auth_methods_supported: clientAuthMethods,
    scopes_supported: [...openIdScopes, ...humanScopes, ...privilegedScopes],
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'azp',
      'at_hash',
      'amr',
      'acr',
      'sid',
      'name',
      'email',
      'preferred_username',
      'kind',
      'organization',
    ],
  }
}

/** The server as a resource that tokens are for (RFC 9728). */
export const buildProtectedResourceMetadata = (baseUrl: string): Readonly<Record<string, unknown>> => ({
  resource: baseUrl,
  authorization_servers: [buildIssuerUrl(baseUrl)],
  scopes_supported: humanScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Swath',
  resource_documentation: `${baseUrl}/docs`,
})
