import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FormBrowser } from './form-browser.ts'
import { clientScopes, type GrantCase } from './grant-case.ts'

type Json = Readonly<Record<string, unknown>>
type LibraryFunction = (...parameters: readonly unknown[]) => Promise<Json>

/** The functions of oauth4webapi, which sends a request with one and checks the response with another. */
type Library = Readonly<Record<string, LibraryFunction>> & { readonly allowInsecureRequests: symbol }

interface Walk {
  readonly library: Library
  readonly server: Json
  readonly client: Json
  readonly auth: unknown
  readonly options: object
  readonly browser: FormBrowser
  readonly grants: GrantCase
  readonly expect: (isMet: boolean, what: string) => void
}

const allow = { decision: 'allow' }
const allScopes = clientScopes.toSorted().join(' ')
const scopesOf = ({ scope }: Json): string => String(scope).split(' ').toSorted().join(' ')

async function loadLibrary(folder: string): Promise<Library> {
  const entry = createRequire(join(folder, 'package.json')).resolve('oauth4webapi')
  return (await import(pathToFileURL(entry).href)) as Library
}

/** A function of the library by its name. */
function get(library: Library, name: string): LibraryFunction {
  const found = library[name]
  if (!found) throw new Error(`oauth4webapi has no function ${name}`)
  return found
}

/**
 * Walks every grant with oauth4webapi, which checks each response against its specification: discovery by RFC 8414 and RFC 9728, dynamic
 * registration, and a client of an organization. Returns what differs from the expected.
 */
export async function runGrantsWithOAuth4WebApi(
  folder: string,
  browser: FormBrowser,
  grants: GrantCase,
): Promise<string[]> {
  const library = await loadLibrary(folder)
  const options = { [library.allowInsecureRequests]: true }
  const issuer = new URL(grants.issuer)
  const discovered = await get(library, 'discoveryRequest')(issuer, { ...options, algorithm: 'oauth2' })
  const server = await get(library, 'processDiscoveryResponse')(issuer, discovered)
  const violations: string[] = []
  const expect = (isMet: boolean, what: string): void => void (isMet || violations.push(`oauth4webapi: ${what}`))
  const resource = new URL(grants.url)
  const described = await get(library, 'resourceDiscoveryRequest')(resource, options)
  const metadata = await get(library, 'processResourceDiscoveryResponse')(resource, described)
  expect(String(metadata['authorization_servers']) === grants.issuer, 'the resource names the issuer')
  const client = { client_id: grants.client_id }
  const auth = await get(library, 'ClientSecretPost')(grants.client_secret)
  const walk = { library, server, client, auth, options, browser, grants, expect }
  await walkCode(walk)
  await walkDevice(walk)
  await walkOthers(walk)
  await walkRegistration(walk)
  return violations
}

/** Sends a request of the client, and checks the response. */
async function send(
  { library, server, client, auth, options }: Walk,
  name: string,
  process: string,
  more: readonly unknown[],
): Promise<Json> {
  const response = await get(library, `${name}Request`)(server, client, auth, ...more, options)
  return get(library, `process${process}Response`)(server, client, response)
}

async function authorize(walk: Walk, scope: string | null, forms: readonly Record<string, string>[]): Promise<Json> {
  const { library, server, client, auth, options, browser, grants } = walk
  const verifier = String(await get(library, 'generateRandomCodeVerifier')())
  const state = String(await get(library, 'generateRandomState')())
  const url = new URL(String(server['authorization_endpoint']))
  url.search = new URLSearchParams({
    client_id: String(client['client_id']),
    redirect_uri: grants.redirect_uri,
    response_type: 'code',
    state,
    code_challenge: String(await get(library, 'calculatePKCECodeChallenge')(verifier)),
    code_challenge_method: 'S256',
    ...(scope === null ? {} : { scope }),
  }).toString()
  const back = new URL(await browser.follow(url.href, ...forms))
  const parameters = await get(library, 'validateAuthResponse')(server, client, back, state)
  const request = get(library, 'authorizationCodeGrantRequest')
  const response = await request(server, client, auth, parameters, grants.redirect_uri, verifier, options)
  return get(library, 'processAuthorizationCodeResponse')(server, client, response)
}

async function walkCode(walk: Walk): Promise<void> {
  const { library, server, client, options, browser, grants, expect } = walk
  const { email, password } = grants
  const tokens = await authorize(walk, 'openid orders:read', [{ email, password }, allow])
  expect(scopesOf(tokens) === 'openid orders:read', `a code has the scopes of its request, not ${scopesOf(tokens)}`)
  const info = await get(library, 'userInfoRequest')(server, client, tokens['access_token'], options)
  const subject = ((await get(library, 'getValidatedIdTokenClaims')(tokens)) as { sub?: unknown }).sub
  const user = await get(library, 'processUserInfoResponse')(server, client, subject, info)
  expect(user['email'] === email, 'userinfo has the email')
  const whole = await authorize(walk, null, [allow])
  expect(scopesOf(whole) === allScopes, `without a scope a code has those of the client, not ${scopesOf(whole)}`)
  const narrowing = { ...options, additionalParameters: { scope: 'items:read' } }
  const narrowed = await send({ ...walk, options: narrowing }, 'refreshTokenGrant', 'RefreshToken', [
    whole['refresh_token'],
  ])
  expect(scopesOf(narrowed) === 'items:read', 'a refresh narrows')
  const isActive = async (token: unknown): Promise<boolean> =>
    (await send(walk, 'introspection', 'Introspection', [token]))['active'] === true
  expect(await isActive(narrowed['access_token']), 'introspection knows the token')
  const revoked = await get(library, 'revocationRequest')(server, client, walk.auth, narrowed['refresh_token'], options)
  await get(library, 'processRevocationResponse')(revoked)
  expect(!(await isActive(narrowed['access_token'])), 'revocation ends the session')
  const logout = new URL(String(server['end_session_endpoint']))
  logout.search = new URLSearchParams({
    id_token_hint: String(tokens['id_token']),
    post_logout_redirect_uri: grants.post_logout_redirect_uri,
  }).toString()
  expect(
    (await browser.follow(logout.href, {})) === grants.post_logout_redirect_uri,
    'the end of the session redirects back',
  )
  expect(!(await isActive(tokens['access_token'])), 'and ends the tokens')
}

async function walkDevice(walk: Walk): Promise<void> {
  const { browser, grants, expect } = walk
  const { email, password } = grants
  for (const scope of ['orders:read', null]) {
    const codes = await send(walk, 'deviceAuthorization', 'DeviceAuthorization', [scope === null ? {} : { scope }])
    await browser.decide(String(codes['verification_uri_complete']), { email, password }, 'allow')
    const tokens = await send(walk, 'deviceCodeGrant', 'DeviceCode', [codes['device_code']])
    expect(scopesOf(tokens) === (scope ?? allScopes), `a device has ${scope ?? 'all scopes'}, not ${scopesOf(tokens)}`)
  }
}

async function walkOthers(walk: Walk): Promise<void> {
  const { library, grants, expect } = walk
  for (const scope of ['items:read', null]) {
    const parameters = scope === null ? {} : { scope }
    const tokens = await send(walk, 'clientCredentialsGrant', 'ClientCredentials', [parameters])
    expect(scopesOf(tokens) === (scope ?? allScopes), `a client has ${scope ?? 'all scopes'}, not ${scopesOf(tokens)}`)
  }
  const platform = { ...walk, client: { client_id: 'swath' }, auth: await get(library, 'None')() }
  for (const scope of ['items:read', null]) {
    const parameters = { username: grants.email, password: grants.password, ...(scope === null ? {} : { scope }) }
    const more = ['password', parameters]
    const tokens = await send(platform, 'genericTokenEndpoint', 'GenericTokenEndpoint', more)
    const isExpected = scope === null ? scopesOf(tokens).includes('orders:*') : scopesOf(tokens) === scope
    expect(isExpected, `a password gives ${scope ?? 'all that are not privileged'}, not ${scopesOf(tokens)}`)
  }
}

async function walkRegistration(walk: Walk): Promise<void> {
  const { library, server, options, grants, expect } = walk
  const metadata = { client_name: 'Agent', redirect_uris: [grants.redirect_uri], token_endpoint_auth_method: 'none' }
  const response = await get(library, 'dynamicClientRegistrationRequest')(server, metadata, options)
  const client = await get(library, 'processDynamicClientRegistrationResponse')(response)
  const registered = { ...walk, client, auth: await get(library, 'None')() }
  const tokens = await authorize(registered, 'items:read', [allow])
  expect(scopesOf(tokens) === 'items:read', 'a program that registered itself gets what was allowed')
}
