import { everyScope } from '@swath/client/every-scope.ts'
import * as oauth from 'oauth4webapi'

/** The issuer of the console is its own server. */
const client: oauth.Client = { client_id: 'swath-console' }
const clientAuth = oauth.None()
const scope = `openid profile email ${everyScope}`
/** A token that expires within this time is renewed before use. */
const renewal_margin_ms = 30_000

export interface Issuer {
  readonly server: oauth.AuthorizationServer
  readonly redirectUri: string
}

export interface TokenSet {
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly idToken: string | null
  /** The person, from a validated ID token; null where a refresh gave none. */
  readonly subject: string | null
  readonly expires_at_ms: number
}

/** The state of a sign-in that is stored while the browser is at the sign-in page. */
export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** The URL to return to, within the console. */
  readonly returnTo: string
}

/** HTTP is allowed for a server on this machine only, which is where the console of a developer runs. */
const requestOptions = () => ({ [oauth.allowInsecureRequests]: location.protocol === 'http:' })

/** Reads the metadata of the issuer (OpenID Connect Discovery). */
export async function discoverIssuer(origin: string): Promise<Issuer> {
  const url = new URL('/realms/public', origin)
  const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, requestOptions()))
  return { server, redirectUri: `${origin}/auth/callback` }
}

/**
 * The URL of the sign-in page, and the state that is stored until it returns (RFC 7636, RFC 9207).
 *
 * @param extra parameters of this request, such as `prompt`.
 */
export async function prepareSignIn(
  { server, redirectUri }: Issuer,
  returnTo: string,
  extra: Readonly<Record<string, string>> = {},
): Promise<{ url: URL; pending: PendingSignIn }> {
  const pending = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    codeVerifier: oauth.generateRandomCodeVerifier(),
    returnTo,
  }
  const url = new URL(server.authorization_endpoint!)
  const parameters = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.codeVerifier),
    code_challenge_method: 'S256',
    ...extra,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url, pending }
}

/** Exchanges the code in a callback URL for tokens. Throws `AuthorizationResponseError` if the issuer refused. */
export async function redeemCallback(
  { server, redirectUri }: Issuer,
  callback: URL,
  pending: PendingSignIn,
): Promise<TokenSet> {
  const parameters = oauth.validateAuthResponse(server, client, callback, pending.state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    clientAuth,
    parameters,
    redirectUri,
    pending.codeVerifier,
    requestOptions(),
  )
  return toTokenSet(
    await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: pending.nonce }),
  )
}

export async function refreshTokens({ server }: Issuer, refreshToken: string): Promise<TokenSet> {
  const response = await oauth.refreshTokenGrantRequest(server, client, clientAuth, refreshToken, requestOptions())
  const tokens = toTokenSet(await oauth.processRefreshTokenResponse(server, client, response))
  return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken }
}

/** The URL that ends the session at the issuer and returns to the console. */
export function signOutUrl({ server }: Issuer, idToken: string | null, returnTo: string): URL {
  const url = new URL(server.end_session_endpoint!)
  if (idToken) url.searchParams.set('id_token_hint', idToken)
  url.searchParams.set('client_id', client.client_id)
  url.searchParams.set('post_logout_redirect_uri', returnTo)
  return url
}

const toTokenSet = (response: oauth.TokenEndpointResponse): TokenSet => ({
  accessToken: response.access_token,
  refreshToken: response.refresh_token ?? null,
  idToken: response.id_token ?? null,
  subject: oauth.getValidatedIdTokenClaims(response)?.sub ?? null,
  expires_at_ms: Date.now() + (response.expires_in ?? 300) * 1000 - renewal_margin_ms,
})
