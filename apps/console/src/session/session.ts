import { keepInTab, takeFromTab } from '../api/storage.ts'
import { isRefusedCallback, SessionError, SignedOut, toSessionError } from './session-error.ts'
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
  /**
   * A valid access token, renewed shortly before it expires, or if the platform refused the one that is passed.
   * Concurrent callers share one request. If the session at the issuer has ended, the page leaves for the sign-in page
   * and the promise stays pending.
   */
  getToken(refused?: string): Promise<string>
  signOut(): Promise<never>
  /** Leaves for the sign-in page, which returns at once with tokens for another organization of the person, or asks what it requires. */
  switchOrganization(organization_id: string): Promise<never>
}

/**
 * Opens the session of this page: redeems the code of a callback URL, which is replaced by the URL that the person
 * came from, or renews silently. Throws `SignedOut` if nobody is signed in, and `SessionError` if signing in cannot work.
 */
export async function openSession(url: URL): Promise<Session> {
  if (!isSecureContext) throw new SessionError('insecure')
  return openAt(url).catch(async (error: unknown) => {
    throw await toSessionError(error)
  })
}

async function openAt(url: URL): Promise<Session> {
  const issuer = await discoverIssuer(url.origin)
  if (!url.href.startsWith(issuer.redirectUri)) return createSession(issuer, await renewSilently(issuer))
  const pending = takePending()
  history.replaceState(null, '', pending?.returnTo ?? '/')
  const finish = pending ? redeemOrRenew(issuer, url, pending) : renewAfterSignIn(issuer)
  return createSession(issuer, await finish)
}

/** Leaves for the sign-in page before a session exists; it returns to the current URL. */
export async function leaveForSignIn(): Promise<never> {
  try {
    return await redirectToSignIn(await discoverIssuer(location.origin), currentUrl())
  } catch (error) {
    throw await toSessionError(error)
  }
}

/**
 * A code that cannot be redeemed (used before, expired, of another tab) is not the end: the person has signed in, so that
 * the issuer gives another one silently.
 */
const redeemOrRenew = (issuer: Issuer, url: URL, pending: PendingSignIn): Promise<TokenSet> =>
  redeemCallback(issuer, url, pending).catch((error: unknown) => {
    if (isRefusedCallback(error)) return renewSilently(issuer)
    throw error
  })

/** For a sign-in without a stored state: storage is blocked, or the URL was opened again later. */
const renewAfterSignIn = (issuer: Issuer): Promise<TokenSet> =>
  renewSilently(issuer).catch((error: unknown) => {
    throw error instanceof SignedOut && !keepInTab(`${pendingKey}.probe`, '') ? new SessionError('storage') : error
  })

function createSession(issuer: Issuer, first: TokenSet): Session {
  let tokens = first
  let renewal: Promise<void> | null = null
  const renew = async (): Promise<void> => {
    const renewed = await requestTokens(issuer, tokens).catch((error: unknown) => {
      // The sign-in page says why it is shown.
      if (error instanceof SignedOut) return redirectToSignIn(issuer, currentUrl(), { session_ended: 'true' })
      throw error
    })
    // Another person has signed in with this browser: what this page shows is not theirs.
    if (renewed.subject !== null && renewed.subject !== first.subject) await leaveTo(new URL(location.href))
    tokens = { ...renewed, idToken: renewed.idToken ?? tokens.idToken }
  }
  return {
    getToken: async (refused) => {
      if (Date.now() >= tokens.expires_at_ms || refused === tokens.accessToken) {
        renewal ??= renew().finally(() => {
          renewal = null
        })
        await renewal
      }
      return tokens.accessToken
    },
    switchOrganization: (organization_id) => redirectToSignIn(issuer, '/', { organization_id }),
    signOut: () => {
      // The browser may cache this page to show it again when a person goes back.
      document.documentElement.hidden = true
      return leaveTo(signOutUrl(issuer, tokens.idToken, `${location.origin}/`))
    },
  }
}

const requestTokens = async (issuer: Issuer, { refreshToken }: TokenSet): Promise<TokenSet> =>
  refreshToken ? refreshTokens(issuer, refreshToken).catch(() => renewSilently(issuer)) : renewSilently(issuer)

/** Follows the redirects of the issuer: they end at our own callback URL, whose parameters are the answer. */
async function renewSilently(issuer: Issuer): Promise<TokenSet> {
  const { url, pending } = await prepareSignIn(issuer, '/', { prompt: 'none' })
  const response = await fetch(url, { credentials: 'same-origin' })
  const callback = new URL(response.url)
  if (callback.searchParams.get('error') === 'login_required') throw new SignedOut()
  return redeemCallback(issuer, callback, pending)
}

async function redirectToSignIn(
  issuer: Issuer,
  returnTo: string,
  extra: Readonly<Record<string, string>> = {},
): Promise<never> {
  const { url, pending } = await prepareSignIn(issuer, returnTo, extra)
  // Without storage the callback renews silently, with the cookie of the issuer; without that either, nobody can sign in.
  if (!keepInTab(pendingKey, JSON.stringify(pending)) && !navigator.cookieEnabled) throw new SessionError('storage')
  return leaveTo(url)
}

function takePending(): PendingSignIn | null {
  try {
    return JSON.parse(takeFromTab(pendingKey) ?? 'null') as PendingSignIn | null
  } catch {
    return null
  }
}

const currentUrl = (): string => `${location.pathname}${location.search}`

/** Never resolves: the page is being left. */
function leaveTo(url: URL): Promise<never> {
  location.assign(url)
  return new Promise(() => undefined)
}
