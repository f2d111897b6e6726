import type { JsonSchema } from '../../json-schema.ts'
import { anyText, objectWith, textOrNull } from '../described-route.ts'

/** The media type of forms. */
export const form = 'application/x-www-form-urlencoded'

const texts = (...names: string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, anyText]))
const textList: JsonSchema = { type: 'array', items: anyText }
const url: JsonSchema = { type: 'string', format: 'uri' }
const urls = (...names: string[]): Record<string, JsonSchema> => Object.fromEntries(names.map((name) => [name, url]))
const whole: JsonSchema = { type: 'integer' }

/** The answer of the token endpoint (RFC 6749 5.1). */
export const tokenAnswer = objectWith(
  {
    ...texts('access_token', 'refresh_token', 'scope', 'id_token'),
    token_type: { type: 'string', enum: ['Bearer'] },
    expires_in: whole,
    refresh_expires_in: whole,
  },
  ['access_token', 'token_type', 'expires_in', 'scope'],
)

/** RFC 8628 3.2. */
export const deviceAnswer = objectWith(
  { ...texts('device_code', 'user_code'), ...urls('verification_uri', 'verification_uri_complete'), expires_in: whole, interval: whole }, // prettier-ignore
  ['device_code', 'user_code', 'verification_uri', 'expires_in'],
)

/** RFC 7662 2.2. */
export const introspection = objectWith(
  { active: { type: 'boolean' }, ...texts('client_id', 'sub', 'scope', 'token_type', 'iss', 'jti'), iat: whole, exp: whole },
  ['active'],
) // prettier-ignore

/** OpenID Connect core 5.3, with the organization of the caller. */
export const userClaims = objectWith(
  {
    ...texts('sub', 'kind', 'email', 'preferred_username', 'name', 'scope'),
    organization_id: textOrNull,
    role: { ...textOrNull, description: 'Null for a caller that is no person.' },
  },
  ['sub', 'kind', 'organization_id', 'role', 'scope'],
)

/** A set of keys (RFC 7517). */
export const keySet = objectWith({
  keys: { type: 'array', items: objectWith(texts('kty', 'kid', 'alg', 'use'), ['kty', 'kid']), minItems: 1 },
})

/** OpenID Connect discovery 1.0 and RFC 8414. */
export const serverMetadata = objectWith(
  {
    ...urls('issuer', 'authorization_endpoint', 'device_authorization_endpoint', 'token_endpoint', 'jwks_uri'),
    ...urls('userinfo_endpoint', 'introspection_endpoint', 'revocation_endpoint', 'end_session_endpoint'),
    registration_endpoint: url,
    response_types_supported: textList,
    grant_types_supported: textList,
    code_challenge_methods_supported: textList,
    subject_types_supported: textList,
    id_token_signing_alg_values_supported: textList,
    scopes_supported: textList,
    claims_supported: textList,
  },
  ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri', 'response_types_supported', 'subject_types_supported', 'id_token_signing_alg_values_supported'], // prettier-ignore
)

/** RFC 9728 2. */
export const resourceMetadata = objectWith(
  { resource: url, authorization_servers: { type: 'array', items: url }, scopes_supported: textList, bearer_methods_supported: textList }, // prettier-ignore
  ['resource', 'authorization_servers'],
)

const clientProperties = {
  redirect_uris: { type: 'array', items: url },
  ...texts('client_name', 'scope', 'token_endpoint_auth_method'),
  grant_types: textList,
  response_types: textList,
}

/** What a client says of itself (RFC 7591 2). */
export const clientMetadata = objectWith(clientProperties, ['redirect_uris'])

/** RFC 7591 3.2.1. */
export const registeredClient = objectWith(
  { ...clientProperties, client_id: anyText, client_id_issued_at: whole, registration_access_token: anyText, registration_client_uri: url }, // prettier-ignore
  ['client_id', 'redirect_uris'],
)

const formOf = (names: readonly string[], required: readonly string[] = []) => ({
  mediaType: form,
  schema: objectWith(texts(...names), [...required]),
  isRequired: required.length > 0,
})

const clientFields = ['client_id', 'client_secret']

/** The fields of the forms, by endpoint. */
export const forms = {
  token: {
    ...formOf([]),
    schema: objectWith(
      {
        ...texts(
          'code',
          'redirect_uri',
          'code_verifier',
          'username',
          'password',
          'refresh_token',
          'device_code',
          'scope',
        ),
        ...texts(...clientFields),
        grant_type: { type: 'string', enum: ['authorization_code', 'password', 'client_credentials', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] }, // prettier-ignore
      },
      ['grant_type'],
    ),
    isRequired: true,
  },
  device: formOf([...clientFields, 'scope']),
  introspect: formOf([...clientFields, 'token', 'token_type_hint'], ['token']),
  revoke: formOf([...clientFields, 'token', 'token_type_hint'], ['token']),
  userinfo: formOf(['access_token']),
  backchannelLogout: formOf(['logout_token'], ['logout_token']),
}
