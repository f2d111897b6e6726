import { endpointUrl, requestTokens, SignInError, type SignInServer, type SessionTokens } from './oauth.ts'

export interface RedirectSignIn {
  /** The OAuth client, which is registered with the redirect URI. */
  readonly clientId: string
  readonly redirectUri: string
  /** Scopes, separated by spaces. */
  readonly scope?: string
}

/** A sign-in that has begun; it is kept until the browser comes back, such as in `sessionStorage`. */
export interface StartedSignIn extends RedirectSignIn {
  /** Where the browser goes. */
  readonly url: string
  readonly state: string
  readonly codeVerifier: string
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const randomText = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))

/** Begins the authorization code flow with PKCE (RFC 7636): the browser is sent to `url`. */
export async function beginSignIn(endpoint: SignInServer, signIn: RedirectSignIn): Promise<StartedSignIn> {
  const [state, codeVerifier] = [randomText(), randomText()]
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: signIn.clientId,
    redirect_uri: signIn.redirectUri,
    state,
    code_challenge: toBase64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...(signIn.scope === undefined ? {} : { scope: signIn.scope }),
  })
  return { ...signIn, url: `${endpointUrl(endpoint, 'auth')}?${query}`, state, codeVerifier }
}

/**
 * Redeems the code of the URL that the browser came back to. Throws `SignInError` if the sign-in was refused, or if the URL is
 * the answer to another one.
 */
export async function finishSignIn(
  endpoint: SignInServer,
  { state, codeVerifier, clientId, redirectUri }: StartedSignIn,
  callbackUrl: string | URL,
): Promise<SessionTokens> {
  const answer = new URL(callbackUrl).searchParams
  const error = answer.get('state') === state ? answer.get('error') : 'invalid_state'
  const code = answer.get('code')
  if (error !== null || code === null) {
    const error_description =
      answer.get('error_description') ?? 'The answer is not the one of this sign-in. Sign in again.'
    throw new SignInError(400, { error: error ?? 'invalid_request', error_description }, null)
  }
  return requestTokens(endpoint, {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    code,
  })
}
