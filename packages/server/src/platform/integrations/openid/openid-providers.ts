import type { JSONWebKeySet } from 'jose'
import * as library from 'openid-client'
import { createBoundedCache } from '../../bounded-cache.ts'
import { isLoopback } from '../../loopback.ts'
import { SafeFetchFailure } from '../integrations.ts'
import type { SafeFetch } from '../safe-fetch-types.ts'
import { verifyLogoutToken } from './logout-tokens.ts'
import { toLibraryFetch } from './openid-fetch.ts'
import {
  OpenIdFailure,
  type OpenIdClient,
  type OpenIdHints,
  type OpenIdLogin,
  type OpenIdProviders,
  type ProviderClaims,
  type OpenIdProviderMetadata,
} from './openid-types.ts'

export interface OpenIdProvidersOptions {
  readonly fetch: SafeFetch
  /** Origins that may use plain http if they are of this machine (`OUTSIDE_ALLOW`). */
  readonly outside_allow: readonly string[]
  readonly now_ms: () => number
}

/** Metadata of a provider is read again after this time. */
const metadata_age_ms = 5 * 60_000
const max_cached_providers = 500

type Metadata = library.ServerMetadata

/** A provider of plain http is one of a developer, on the same machine. */
const isDevelopmentIssuer = (issuer: string, outside_allow: readonly string[]): boolean => {
  const url = new URL(issuer)
  return url.protocol === 'http:' && isLoopback(url.hostname) && outside_allow.includes(url.origin)
}

/** Creates the client of all providers. What providers publish is kept for some minutes; secrets are not kept. */
export function createOpenIdProviders({ fetch, outside_allow, now_ms }: OpenIdProvidersOptions): OpenIdProviders {
  const libraryFetch = toLibraryFetch(fetch)
  const known = createBoundedCache<string, Metadata>({
    max_entries: max_cached_providers,
    max_age: { ms: metadata_age_ms, now_ms },
  })

  async function open(client: OpenIdClient, isFresh = false): Promise<library.Configuration> {
    const { issuer, client_id } = client
    const isPlain = isDevelopmentIssuer(issuer, outside_allow)
    const execute = [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])]
    const metadata = isFresh ? undefined : known.get(issuer)
    if (!metadata) {
      const options = { execute, [library.customFetch]: libraryFetch }
      const config = await library.discovery(new URL(issuer), client_id, {}, library.None(), options)
      known.set(issuer, config.serverMetadata())
      return open(client)
    }
    const config = new library.Configuration(metadata, client_id, {}, chooseClientAuthentication(client, metadata))
    config[library.customFetch] = libraryFetch
    for (const apply of execute) apply(config)
    return config
  }

  async function readKeys(metadata: Metadata): Promise<JSONWebKeySet> {
    if (!metadata.jwks_uri) throw new OpenIdFailure('The provider publishes no keys (jwks_uri).')
    const options = { timeout_ms: 8000, limit_bytes: 512 * 1024, redirects: 0, headers: { accept: 'application/json' } }
    const { status, body } = await fetch(metadata.jwks_uri, options)
    if (status !== 200) throw new OpenIdFailure(`The keys of the provider answer with the status ${status}.`)
    return parseKeys(new TextDecoder().decode(body))
  }

  return {
    describe: (client) =>
      withOpenIdFailures(async () => {
        const metadata = (await open(client, true)).serverMetadata()
        return describeProvider(metadata, (await readKeys(metadata)).keys.length)
      }),
    createAuthorizationUrl: (client, login, hints) =>
      withOpenIdFailures(async () => {
        const config = await open(client)
        return buildAuthorizationUrl(config, { ...login, scopes: client.scopes }, hints)
      }),
    redeem: (client, login, parameters) =>
      withOpenIdFailures(async () => redeemCode(await open(client), login, parameters)),
    readLogoutToken: (client, token) =>
      withOpenIdFailures(async () => {
        const metadata = (await open(client)).serverMetadata()
        const keys = await readKeys(metadata)
        return verifyLogoutToken(token, { issuer: metadata.issuer, client_id: client.client_id, keys })
      }),
  }
}

/** RFC 6749 2.3.1 prefers Basic, which is also what a provider supports that says nothing. */
function chooseClientAuthentication({ client_secret }: OpenIdClient, metadata: Metadata): library.ClientAuth {
  if (client_secret === null) return library.None()
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return supported.includes('client_secret_basic')
    ? library.ClientSecretBasic(client_secret)
    : library.ClientSecretPost(client_secret)
}

function parseKeys(text: string): JSONWebKeySet {
  try {
    const keys = JSON.parse(text) as Partial<JSONWebKeySet> | null
    if (Array.isArray(keys?.keys)) return { keys: keys.keys }
  } catch {
    // Reported below, as any other document.
  }
  throw new OpenIdFailure('The keys of the provider are not a JSON Web Key Set.')
}

const describeProvider = (metadata: Metadata, key_count: number): OpenIdProviderMetadata => ({
  issuer: metadata.issuer,
  authorization_endpoint: metadata.authorization_endpoint ?? null,
  token_endpoint: metadata.token_endpoint ?? null,
  has_userinfo: metadata.userinfo_endpoint !== undefined,
  has_backchannel_logout: metadata['backchannel_logout_supported'] === true,
  key_count,
})

async function buildAuthorizationUrl(
  config: library.Configuration,
  { redirect_uri, state, nonce, code_verifier, scopes }: OpenIdLogin & Pick<OpenIdClient, 'scopes'>,
  { login_hint, isAgain }: OpenIdHints,
): Promise<string> {
  const url = library.buildAuthorizationUrl(config, {
    redirect_uri,
    state,
    nonce,
    scope: [...new Set(['openid', ...scopes])].join(' '),
    code_challenge: await library.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    login_hint,
    ...(isAgain ? { prompt: 'login' } : {}),
  })
  const isPlain = new URL(config.serverMetadata().issuer).protocol === 'http:' && url.protocol === 'http:'
  if (url.protocol !== 'https:' && !isPlain)
    throw new OpenIdFailure('The provider signs in at a URL that is not https.')
  return url.href
}

async function redeemCode(
  config: library.Configuration,
  { redirect_uri, state, nonce, code_verifier }: OpenIdLogin,
  parameters: URLSearchParams,
): Promise<ProviderClaims> {
  const currentUrl = new URL(`${redirect_uri}?${parameters.toString()}`)
  const tokens = await library.authorizationCodeGrant(config, currentUrl, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: code_verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new OpenIdFailure('The provider has sent no ID token.')
  const needsUserInfo = typeof claims['email'] !== 'string' && config.serverMetadata().userinfo_endpoint !== undefined
  const more = needsUserInfo ? await library.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
  return toProviderClaims({ ...more, ...claims })
}

const readText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Some providers write truth values as texts. */
const readTruth = (value: unknown): boolean | null =>
  value === undefined || value === null ? null : value === true || value === 'true'

const max_methods = 20

const toProviderClaims = (all: Readonly<Record<string, unknown>> & { iss: string; sub: string }): ProviderClaims => ({
  issuer: all.iss,
  subject: all.sub,
  email: readText(all['email']),
  email_verified: readTruth(all['email_verified']),
  name: readText(all['name']),
  sid: readText(all['sid']),
  amr: Array.isArray(all['amr']) ? all['amr'].filter((method) => typeof method === 'string').slice(0, max_methods) : [],
  acr: readText(all['acr']),
  all,
})

/**
 * Whatever the library and the fetch throw is the provider's response: the library has errors of its own, but lets TypeErrors of
 * malformed documents through.
 */
async function withOpenIdFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OpenIdFailure) throw error
    throw toOpenIdFailure(error)
  }
}

function toOpenIdFailure(error: unknown): OpenIdFailure {
  const cause = findCause(error, (inner) => inner instanceof SafeFetchFailure)
  if (cause) return new OpenIdFailure(cause.message, { cause: error })
  const named = error as { readonly error?: unknown; readonly code?: unknown; readonly message?: unknown }
  const detail = [named.error, named.code, named.message].filter((text) => typeof text === 'string' && text !== '')
  return new OpenIdFailure(`The provider's response is not valid (${detail.join(': ').slice(0, 300)}).`, {
    cause: error,
  })
}

/** The first error of a chain of causes that is of this kind. */
function findCause(error: unknown, isWanted: (error: unknown) => boolean): Error | null {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1)
    if (isWanted(current)) return current
  return null
}
