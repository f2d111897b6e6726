import type { FormBrowser } from './form-browser.ts'
import { clientScopes, type GrantCase } from './grant-case.ts'
import {
  errorOf,
  loadClient,
  type ClientConfig,
  type ClientTokens,
  type OpenIdClientLibrary,
} from './openid-client-session.ts'

interface Walk {
  readonly client: OpenIdClientLibrary
  readonly config: ClientConfig
  readonly browser: FormBrowser
  readonly grants: GrantCase
  readonly expect: (isMet: boolean, what: string) => void
}

const allow = { decision: 'allow' }

/** The scopes of a response, sorted. */
const scopesOf = ({ scope }: ClientTokens): string => String(scope).split(' ').toSorted().join(' ')

const allScopes = clientScopes.toSorted().join(' ')

/**
 * Walks every grant with openid-client, with and without scopes: discovery by RFC 8414, dynamic registration, and a client of an
 * organization. Returns what differs from the expected.
 */
export async function runGrantsWithOpenIdClient(
  folder: string,
  browser: FormBrowser,
  grants: GrantCase,
): Promise<string[]> {
  const client = await loadClient(folder)
  const options = { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks], algorithm: 'oauth2' }
  const auth = client.ClientSecretBasic(grants.client_secret)
  const config = await client.discovery(new URL(grants.issuer), grants.client_id, {}, auth, options)
  const violations: string[] = []
  const expect = (isMet: boolean, what: string): void =>
    void (isMet || violations.push(`openid-client, grants: ${what}`))
  const walk = { client, config, browser, grants, expect }
  await walkCode(walk)
  await walkDevice(walk)
  await walkOthers(walk)
  await walkRegistration(walk)
  return violations
}

async function authorize(
  { client, browser, grants }: Walk,
  config: ClientConfig,
  { scope, forms }: { readonly scope: string | null; readonly forms: readonly Record<string, string>[] },
): Promise<ClientTokens> {
  const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: grants.redirect_uri,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    resource: grants.url,
    ...(scope === null ? {} : { scope }),
  })
  const back = new URL(await browser.follow(url.href, ...forms))
  return client.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState })
}

async function walkCode(walk: Walk): Promise<void> {
  const { client, config, browser, grants, expect } = walk
  const { email, password } = grants
  const tokens = await authorize(walk, config, { scope: 'openid items:read', forms: [{ email, password }, allow] })
  expect(scopesOf(tokens) === 'items:read openid', `a code has the scopes of its request, not ${scopesOf(tokens)}`)
  const subject = String(tokens.claims()?.['sub'])
  expect(
    (await client.fetchUserInfo(config, tokens.access_token, subject))['email'] === email,
    'userinfo has the email',
  )
  const whole = await authorize(walk, config, { scope: null, forms: [allow] })
  expect(scopesOf(whole) === allScopes, `without a scope a code has those of the client, not ${scopesOf(whole)}`)
  const narrowed = await client.refreshTokenGrant(config, whole.refresh_token, { scope: 'orders:read' })
  expect(scopesOf(narrowed) === 'orders:read', 'a refresh narrows')
  const again = await client.refreshTokenGrant(config, narrowed.refresh_token)
  expect(scopesOf(again) === allScopes, 'a refresh without a scope has those of the session')
  const wider = client.refreshTokenGrant(config, again.refresh_token, { scope: 'billing:write' })
  expect((await errorOf(wider)) === 'invalid_scope', 'a refresh never widens')
  expect((await client.tokenIntrospection(config, again.access_token)).active, 'introspection knows the token')
  await client.tokenRevocation(config, again.refresh_token)
  expect(!(await client.tokenIntrospection(config, again.access_token)).active, 'revocation ends the session')
  const logout = { id_token_hint: tokens.id_token, post_logout_redirect_uri: grants.post_logout_redirect_uri }
  const bye = await browser.follow(client.buildEndSessionUrl(config, logout).href, {})
  expect(bye === grants.post_logout_redirect_uri, `the end of the session redirects back, not to ${bye}`)
  expect(!(await client.tokenIntrospection(config, tokens.access_token)).active, 'and ends the tokens')
}

async function walkDevice({ client, config, browser, grants, expect }: Walk): Promise<void> {
  const { email, password } = grants
  for (const scope of ['orders:read', null]) {
    const codes = await client.initiateDeviceAuthorization(config, scope === null ? {} : { scope })
    await browser.decide(codes.verification_uri_complete, { email, password }, 'allow')
    const tokens = await client.pollDeviceAuthorizationGrant(config, codes)
    expect(scopesOf(tokens) === (scope ?? allScopes), `a device has ${scope ?? 'all scopes'}, not ${scopesOf(tokens)}`)
  }
}

async function walkOthers({ client, config, grants, expect }: Walk): Promise<void> {
  for (const scope of ['items:read', null]) {
    const tokens = await client.clientCredentialsGrant(config, scope === null ? {} : { scope })
    expect(scopesOf(tokens) === (scope ?? allScopes), `a client has ${scope ?? 'all scopes'}, not ${scopesOf(tokens)}`)
  }
  const options = { execute: [client.allowInsecureRequests] }
  const platform = await client.discovery(new URL(grants.issuer), 'swath', {}, client.None(), options)
  const credentials = { username: grants.email, password: grants.password }
  const narrow = await client.genericGrantRequest(platform, 'password', { ...credentials, scope: 'items:read' })
  expect(scopesOf(narrow) === 'items:read', 'a password gives the scopes that are asked for')
  const whole = await client.genericGrantRequest(platform, 'password', credentials)
  expect(scopesOf(whole).includes('orders:*'), 'a password without a scope gives all that are not privileged')
  const ofOthers = client.genericGrantRequest(config, 'password', credentials)
  expect((await errorOf(ofOthers)) !== null, 'a program of others never gets a token for a password')
}

async function walkRegistration(walk: Walk): Promise<void> {
  const { client, grants, expect } = walk
  const metadata = { client_name: 'Agent', redirect_uris: [grants.redirect_uri], token_endpoint_auth_method: 'none' }
  const options = { execute: [client.allowInsecureRequests], algorithm: 'oauth2' }
  const registered = await client.dynamicClientRegistration(new URL(grants.issuer), metadata, client.None(), options)
  const tokens = await authorize(walk, registered, { scope: 'items:read', forms: [allow] })
  expect(scopesOf(tokens) === 'items:read', 'a program that registered itself gets what was allowed')
}
