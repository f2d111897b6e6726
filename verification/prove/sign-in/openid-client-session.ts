import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FormBrowser } from './form-browser.ts'

/** Credentials of the user, and the URL of the issuer. */
export interface SignInCase {
  readonly issuer: string
  readonly client_id: string
  readonly redirect_uri: string
  readonly post_logout_redirect_uri: string
  /** Of the organization, with which it may introspect. */
  readonly api_key: string
  readonly email: string
  /** A one-time password, which is replaced by `new_password` at the first sign-in. */
  readonly password: string
  readonly new_password: string
}

export interface ClientTokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
  readonly scope?: string
  claims(): Readonly<Record<string, unknown>> | undefined
}

/** The part of openid-client 6 that is used here. */
export interface OpenIdClientLibrary {
  readonly None: () => unknown
  readonly ClientSecretPost: (secret: string) => unknown
  readonly ClientSecretBasic: (secret: string) => unknown
  readonly allowInsecureRequests: (config: unknown) => void
  readonly enableNonRepudiationChecks: (config: unknown) => void
  readonly discovery: (...parameters: readonly unknown[]) => Promise<ClientConfig>
  readonly randomPKCECodeVerifier: () => string
  readonly calculatePKCECodeChallenge: (verifier: string) => Promise<string>
  readonly randomState: () => string
  readonly randomNonce: () => string
  readonly buildAuthorizationUrl: (config: unknown, parameters: Record<string, string>) => URL
  readonly authorizationCodeGrant: (config: unknown, url: URL, checks: object) => Promise<ClientTokens>
  readonly fetchUserInfo: (config: unknown, token: string, subject: string) => Promise<Record<string, unknown>>
  readonly refreshTokenGrant: (
    config: unknown,
    token: string,
    parameters?: Record<string, string>,
  ) => Promise<ClientTokens>
  readonly clientCredentialsGrant: (config: unknown, parameters: Record<string, string>) => Promise<ClientTokens>
  readonly genericGrantRequest: (
    config: unknown,
    grant: string,
    parameters: Record<string, string>,
  ) => Promise<ClientTokens>
  readonly tokenRevocation: (config: unknown, token: string) => Promise<void>
  readonly dynamicClientRegistration: (...parameters: readonly unknown[]) => Promise<ClientConfig>
  readonly tokenIntrospection: (config: unknown, token: string) => Promise<{ readonly active: boolean }>
  readonly initiateDeviceAuthorization: (config: unknown, parameters: Record<string, string>) => Promise<DeviceCodes>
  readonly pollDeviceAuthorizationGrant: (config: unknown, codes: DeviceCodes) => Promise<ClientTokens>
  readonly buildEndSessionUrl: (config: unknown, parameters: Record<string, string>) => URL
}

interface DeviceCodes {
  readonly verification_uri_complete: string
}

export interface ClientConfig {
  serverMetadata(): Readonly<Record<string, unknown>> & { supportsPKCE(): boolean }
}

export async function loadClient(folder: string): Promise<OpenIdClientLibrary> {
  const entry = createRequire(join(folder, 'package.json')).resolve('openid-client')
  return (await import(pathToFileURL(entry).href)) as OpenIdClientLibrary
}

/** Starts an authorization code flow, and finishes it with the URL that the browser was sent to. */
async function authorize(
  client: OpenIdClientLibrary,
  config: ClientConfig,
  { redirect_uri }: SignInCase,
  { visit, more = {} }: { visit: (url: string) => Promise<string>; more?: Record<string, string> },
): Promise<ClientTokens> {
  const [pkceCodeVerifier, expectedState, expectedNonce] = [
    client.randomPKCECodeVerifier(),
    client.randomState(),
    client.randomNonce(),
  ]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'openid',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...more,
  })
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true, maxAge: 3600 }
  return client.authorizationCodeGrant(config, new URL(await visit(url.href)), checks)
}

/** The error of a request that has to fail; null if it succeeded. */
export const errorOf = async (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: unknown) => String((error as { error?: unknown }).error ?? error),
  )

/** Only confidential callers may introspect: an API key is the secret of one. */
async function createIntrospection(
  client: OpenIdClientLibrary,
  { issuer, api_key }: SignInCase,
): Promise<(token: string) => Promise<boolean>> {
  const execute = [client.allowInsecureRequests]
  const auth = client.ClientSecretPost(api_key)
  const config = await client.discovery(new URL(issuer), 'swath', {}, auth, { execute })
  return async (token) => (await client.tokenIntrospection(config, token)).active
}

/**
 * Signs in with openid-client, which checks state, issuer, nonce, audience, expiry and, with non-repudiation checks, the
 * signature of each ID token. Returns what differs from the expected.
 */
export async function runOpenIdClient(folder: string, browser: FormBrowser, signIn: SignInCase): Promise<string[]> {
  const client = await loadClient(folder)
  const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks]
  const metadata = { token_endpoint_auth_method: 'none' }
  const config = await client.discovery(new URL(signIn.issuer), signIn.client_id, metadata, client.None(), { execute })
  const isActive = await createIntrospection(client, signIn)
  const violations: string[] = []
  const expect = (isMet: boolean, what: string): void => void (isMet || violations.push(`openid-client: ${what}`))
  expect(config.serverMetadata().supportsPKCE(), 'the metadata announces PKCE')

  const { email, password, new_password } = signIn
  const visit = (url: string): Promise<string> =>
    browser.follow(url, { email, password }, { new_password, new_password_again: new_password })
  const tokens = await authorize(client, config, signIn, { visit })
  const subject = String(tokens.claims()?.['sub'])
  expect(
    (await client.fetchUserInfo(config, tokens.access_token, subject))['email'] === email,
    'userinfo has the email',
  )

  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token)
  expect(refreshed.claims()?.['sub'] === subject, 'a refreshed ID token has the same subject')
  expect(await isActive(refreshed.access_token), 'a refreshed token is active')

  const silent = await authorize(client, config, signIn, {
    visit: (url) => browser.follow(url),
    more: { prompt: 'none' },
  })
  expect(silent.claims()?.['auth_time'] === tokens.claims()?.['auth_time'], 'a silent renewal is the same sign-in')

  const { post_logout_redirect_uri } = signIn
  const logout = { post_logout_redirect_uri, id_token_hint: silent.id_token, state: 'bye' }
  const location = await browser.follow(client.buildEndSessionUrl(config, logout).href)
  expect(location === `${post_logout_redirect_uri}?state=bye`, `logout redirects back, not to ${location}`)
  expect(!(await isActive(refreshed.access_token)), 'logout ends the access tokens')
  expect(
    (await errorOf(client.refreshTokenGrant(config, refreshed.refresh_token))) === 'invalid_grant',
    'and refresh tokens',
  )
  const again = authorize(client, config, signIn, { visit: (url) => browser.follow(url), more: { prompt: 'none' } })
  expect((await errorOf(again)) === 'login_required', 'and the session of the browser')
  return violations
}

/**
 * Signs in a device with openid-client (RFC 8628) while a browser allows it, then another one that is denied. Returns what differs
 * from the expected.
 */
export async function runDeviceLogin(folder: string, browser: FormBrowser, signIn: SignInCase): Promise<string[]> {
  const { issuer, email, new_password: password } = signIn
  const client = await loadClient(folder)
  const metadata = { token_endpoint_auth_method: 'none' }
  const execute = [client.allowInsecureRequests]
  const config = await client.discovery(new URL(issuer), 'swath', metadata, client.None(), { execute })
  const allowed = await client.initiateDeviceAuthorization(config, {})
  const [tokens] = await Promise.all([
    client.pollDeviceAuthorizationGrant(config, allowed),
    browser.decide(allowed.verification_uri_complete, { email, password }, 'allow'),
  ])
  const isActive = await createIntrospection(client, signIn)
  const active = await isActive(tokens.access_token)
  const denied = await client.initiateDeviceAuthorization(config, {})
  const [error] = await Promise.all([
    errorOf(client.pollDeviceAuthorizationGrant(config, denied)),
    browser.decide(denied.verification_uri_complete, { email, password }, 'deny'),
  ])
  return [
    ...(active ? [] : ['openid-client: the token of an allowed device is active']),
    ...(error === 'access_denied' ? [] : [`openid-client: a denied device gets access_denied, not ${error}`]),
  ]
}
