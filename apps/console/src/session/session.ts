import {
  discoverIssuer,
  prepareSignIn,
  redeemCallback,
  refreshTokens,
  signOutUrl,
  type Issuer,
  type PendingSignIn,
  type TokenSet,
} from './tokens.ts'

const pendingKey = 'swath.sign-in'

/**
 * The signed-in person. Tokens are in memory only: after a reload the session at the issuer (an HttpOnly cookie) gives new
 * ones without a question.
 */
export interface Session {
  /** A valid access token, renewed shortly before it expires. Concurrent callers share one request. */
  getToken(): Promise<string>
  signOut(): Promise<never>
}

/** The issuer answers `prompt=none` with an error instead of a code if nobody is signed in. */
export class SignedOut extends Error {}

/**
 * Opens the session of this page: redeems the code of a callback address, or renews silently.
 *
 * @returns the session, and the address to show if this was a callback. Throws `SignedOut` if nobody is signed in.
 */
export async function openSession(address: URL): Promise<{ session: Session; returnTo: string | null }> {
  const issuer = await discoverIssuer(address.origin)
  const isCallback = address.href.startsWith(issuer.redirectUri)
  const pending = isCallback ? takePending() : null
  if (pending) {
    const tokens = await redeemCallback(issuer, address, pending)
    return { session: createSession(issuer, tokens), returnTo: pending.returnTo }
  }
  return { session: createSession(issuer, await renewSilently(issuer)), returnTo: isCallback ? '/' : null }
}

/** Leaves for the sign-in page before a session exists; it returns to the current address. */
export async function leaveForSignIn(): Promise<never> {
  return redirectToSignIn(await discoverIssuer(location.origin), currentAddress())
}

function createSession(issuer: Issuer, first: TokenSet): Session {
  let tokens = first
  let renewal: Promise<TokenSet> | null = null
  const renew = async (): Promise<TokenSet> => {
    if (!tokens.refreshToken) return renewSilently(issuer)
    return refreshTokens(issuer, tokens.refreshToken).catch(() => renewSilently(issuer))
  }
  return {
    getToken: async () => {
      if (Date.now() < tokens.expires_at_ms) return tokens.accessToken
      renewal ??= renew().finally(() => {
        renewal = null
      })
      const renewed = await renewal.catch((error: unknown) => {
        if (error instanceof SignedOut) return redirectToSignIn(issuer, currentAddress())
        throw error
      })
      // Another person has signed in with this browser: what this page shows is not theirs.
      if (renewed.subject !== null && renewed.subject !== first.subject) return leaveTo(new URL(location.href))
      tokens = { ...renewed, idToken: renewed.idToken ?? tokens.idToken }
      return tokens.accessToken
    },
    signOut: () => leaveTo(signOutUrl(issuer, tokens.idToken, `${location.origin}/`)),
  }
}

/** Follows the redirects of the issuer: they end at our own callback address, whose parameters are the answer. */
async function renewSilently(issuer: Issuer): Promise<TokenSet> {
  const { url, pending } = await prepareSignIn(issuer, '/', 'none')
  const response = await fetch(url, { credentials: 'same-origin' })
  const callback = new URL(response.url)
  if (callback.searchParams.get('error') === 'login_required') throw new SignedOut()
  return redeemCallback(issuer, callback, pending)
}

async function redirectToSignIn(issuer: Issuer, returnTo: string): Promise<never> {
  const { url, pending } = await prepareSignIn(issuer, returnTo, null)
  sessionStorage.setItem(pendingKey, JSON.stringify(pending))
  return leaveTo(url)
}

function takePending(): PendingSignIn | null {
  const text = sessionStorage.getItem(pendingKey)
  sessionStorage.removeItem(pendingKey)
  return text === null ? null : (JSON.parse(text) as PendingSignIn)
}

const currentAddress = (): string => `${location.pathname}${location.search}`

/** Never resolves: the page is being left. */
function leaveTo(url: URL): Promise<never> {
  location.assign(url)
  return new Promise(() => undefined)
}
