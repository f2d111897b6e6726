import { limits } from '@swath/contract/limits.ts'
import type { OAuthClientGrant } from '@swath/contract/schemas/people/oauth-client.ts'
import { parseRequestedScopes } from '../requested-scopes.ts'
import { defaultClientScopes, findWantedScopes, grantTypeNames } from './oauth-client.ts'
import { findPageUrlError, findRedirectUriError } from './redirect-uris.ts'

/** The metadata of a public client (RFC 7591 2), as far as the platform uses it. */
export interface ClientMetadata {
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly scopes: readonly string[]
  readonly grants: readonly OAuthClientGrant[]
  readonly home_url: string | null
  readonly logo_url: string | null
}

/** An error of RFC 7591 3.2.2. */
export class ClientMetadataError extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata'

  constructor(code: ClientMetadataError['code'], description: string) {
    super(description)
    this.code = code
  }
}

const reject = (description: string): never => {
  throw new ClientMetadataError('invalid_client_metadata', description)
}

type Members = Readonly<Record<string, unknown>>

/** The grants that programs which nobody has checked may use. */
const openGrants: readonly OAuthClientGrant[] = ['authorization_code', 'refresh_token', 'device_code']

/** Reads the metadata of a public client; members that are not understood are ignored. Throws `ClientMetadataError`. */
export function readClientMetadata(document: unknown): ClientMetadata {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    return reject('The metadata must be a JSON object.')
  const members = document as Members
  const method = members['token_endpoint_auth_method'] ?? 'none'
  if (method !== 'none') reject('token_endpoint_auth_method must be none: such clients have no secret.')
  const redirect_uris = readRedirectUris(members)
  const grants = readGrants(members)
  if (grants.includes('authorization_code') && redirect_uris.length === 0)
    throw new ClientMetadataError('invalid_redirect_uri', 'redirect_uris must have at least one URI.')
  const responseTypes = members['response_types'] ?? ['code']
  if (!Array.isArray(responseTypes) || responseTypes.some((type) => type !== 'code'))
    reject('response_types must be ["code"].')
  return {
    name: readName(members),
    redirect_uris,
    grants,
    scopes: readScopes(members),
    home_url: readPage(members, 'client_uri'),
    logo_url: readPage(members, 'logo_uri'),
  }
}

function readRedirectUris(members: Members): readonly string[] {
  const uris = members['redirect_uris'] ?? []
  const isList = Array.isArray(uris) && uris.length <= limits.max_redirect_uris
  if (!isList) throw new ClientMetadataError('invalid_redirect_uri', 'redirect_uris must be a list of URIs.')
  return uris.map((uri: unknown) => {
    if (typeof uri !== 'string' || uri.length > limits.max_redirect_uri_length)
      throw new ClientMetadataError('invalid_redirect_uri', 'Each of redirect_uris must be a URI.')
    const error = findRedirectUriError(uri, 'public')
    if (error !== null) throw new ClientMetadataError('invalid_redirect_uri', `A redirect URI ${error}.`)
    return uri
  })
}

function readGrants(members: Members): readonly OAuthClientGrant[] {
  const types: unknown = members['grant_types'] ?? ['authorization_code', 'refresh_token']
  if (!Array.isArray(types) || types.length === 0 || types.length > 10) return reject('grant_types must be a list.')
  const grants = openGrants.filter((grant) => types.includes(grantTypeNames[grant]))
  if (!grants.includes('authorization_code') && !grants.includes('device_code'))
    reject(`grant_types must have authorization_code or ${grantTypeNames.device_code}.`)
  return grants
}

function readScopes(members: Members): readonly string[] {
  const text = members['scope']
  if (text === undefined) return defaultClientScopes
  if (typeof text !== 'string') return reject('scope must be a text.')
  const requested = parseRequestedScopes(text)
  if ('error' in requested) return reject(requested.error)
  return (
    findWantedScopes({ scopes: defaultClientScopes }, requested) ?? reject('The client may have none of these scopes.')
  )
}

function readName(members: Members): string {
  const name = members['client_name'] ?? 'A program without a name'
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200)
    return reject('client_name must be a text of up to 200 characters.')
  // One line, so that it cannot pretend to be more than a name.
  return name.replaceAll(/[\p{C}\s`]+/gu, ' ').trim()
}

function readPage(members: Members, name: string): string | null {
  const url = members[name]
  if (url === undefined || url === null || url === '') return null
  if (typeof url !== 'string' || url.length > limits.max_redirect_uri_length) return reject(`${name} must be a URL.`)
  const error = findPageUrlError(url)
  return error === null ? url : reject(`${name} ${error}.`)
}
