import { hasTokenPrefix } from '../../../platform/crypto/token-prefixes.ts'
import { parseBearerToken } from '../authenticate.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { readIdTokenHint } from '../id-token.ts'
import {
  getFormField,
  OAuthProblem,
  createOAuthEndpointResponse,
  type IdentityEndpointRequest,
  type IdentityEndpointResponse,
} from '../oauth.ts'
import { endSession, endSessionOfBrowser, findSessionByRefreshToken } from '../sessions.ts'
import { getBrowserSession, type BrowserSession } from './browser-sessions.ts'
import { formatClearedSignInCookie } from './cookies.ts'
import { getOrCreateFormCookie, isValidFormToken, signFormToken } from './form-tokens.ts'
import { expiredSignInFormError, respondMessagePage, createPageResponse, type SignInFormError } from './pages.ts'

const reason = 'signed-out'

/**
 * RP-initiated logout (OpenID Connect RP-initiated logout 1.0). Ends the session of the token that is sent as
 * `refresh_token`, `id_token_hint` (also an access token) or Bearer, together with that of its browser and all its
 * clients. A browser that is signed in and sends no such token must confirm: any site could have sent it here.
 * Redirects only to registered URLs.
 */
export async function handleLogoutRequest(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  const isSubmission = request.method === 'POST' && request.form.has('form_token')
  const target = readTarget(dependencies, request, isSubmission ? request.query : request.form)
  const browserSession = await getBrowserSession(dependencies, request)
  if (isSubmission) return confirmLogout(dependencies, request, { target, browserSession })
  const endedSessions = await endSessionsOfTokens(dependencies, request)
  const isStillSignedIn = browserSession !== null && !endedSessions.includes(browserSession.id)
  if (isStillSignedIn && request.acceptsHtml)
    return showLogoutPage(dependencies, request, { target, browserSession, error: null })
  return respondSignedOut(request, target, !isStillSignedIn)
}

/** The URL that the browser is redirected to after signing out; `query` repeats the parameters for the form. */
interface LogoutTarget {
  readonly url: string | null
  readonly query: string
}

const targetParameters = ['client_id', 'post_logout_redirect_uri', 'state'] as const

function readTarget(
  { clients }: IdentityDependencies,
  { baseUrl }: IdentityEndpointRequest,
  parameters: URLSearchParams,
): LogoutTarget {
  const entries = targetParameters.flatMap((name): [string, string][] => {
    const value = getFormField(parameters, name)
    return value === null ? [] : [[name, value]]
  })
  const query = new URLSearchParams(entries)
  const uri = query.get('post_logout_redirect_uri')
  if (uri === null || !clients.isPostLogoutRedirectUri(uri, baseUrl)) return { url: null, query: query.toString() }
  const url = new URL(uri)
  const state = query.get('state')
  if (state !== null) url.searchParams.set('state', state)
  return { url: url.href, query: query.toString() }
}

/** Ends the sessions of the tokens of a request, and returns the ids of what ended: browser sessions where there is one. */
async function endSessionsOfTokens(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<string[]> {
  const { form, authorization } = request
  const bearer = authorization === null ? null : parseBearerToken(authorization)
  const tokens = [getFormField(form, 'refresh_token'), getFormField(form, 'id_token_hint'), bearer]
  const ended: string[] = []
  for (const token of tokens) {
    if (token === null || hasTokenPrefix('api_key', token)) continue
    const session = await findSessionOfToken(dependencies, request, token)
    const root = session === null ? null : await endSessionOfBrowser(dependencies, session, reason)
    if (root !== null) ended.push(root)
  }
  return ended
}

/** Throws `invalid_request` if an ID token belongs to another client than the request names. */
async function findSessionOfToken(
  dependencies: IdentityDependencies,
  { form, baseUrl }: IdentityEndpointRequest,
  token: string,
): Promise<string | null> {
  const hint = await readIdTokenHint(dependencies.keys, token, { client_ids: dependencies.clients.ids, baseUrl })
  const client_id = getFormField(form, 'client_id')
  if (hint && client_id !== null && client_id !== hint.client_id)
    throw new OAuthProblem('invalid_request', 'id_token_hint was issued to another client than client_id.')
  if (hint) return hint.session
  const claims = await dependencies.tokens.verify(token)
  return claims?.session ?? (await findSessionByRefreshToken(dependencies, token))?.id ?? null
}

interface LogoutState {
  readonly target: LogoutTarget
  readonly browserSession: BrowserSession | null
}

async function confirmLogout(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
  { target, browserSession }: LogoutState,
): Promise<IdentityEndpointResponse> {
  if (browserSession) {
    const parts = [target.query, browserSession.id]
    if (!isValidFormToken(dependencies, { step: 'sign-out' }, request, parts))
      return showLogoutPage(dependencies, request, { target, browserSession, error: expiredSignInFormError })
    await endSession(dependencies, browserSession.id, reason)
  }
  return respondSignedOut(request, target, true)
}

function showLogoutPage(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
  {
    target,
    browserSession,
    error,
  }: LogoutState & { readonly browserSession: BrowserSession; readonly error: SignInFormError | null },
): IdentityEndpointResponse {
  const binding = getOrCreateFormCookie(request)
  const form_token = signFormToken(dependencies, 'sign-out', binding, [target.query, browserSession.id])
  const page = {
    title: 'Sign out?',
    paragraphs: [`You are signed in as ${browserSession.user.email}.`],
    form: {
      query: target.query,
      hidden: { form_token },
      fields: [],
      button: 'Sign out',
      error,
      redirect_uri: target.url,
    },
  }
  return createPageResponse(page, { status: error ? 400 : 200, headers: binding.headers })
}

function respondSignedOut(
  { acceptsHtml, baseUrl, cookie }: IdentityEndpointRequest,
  { url }: LogoutTarget,
  clearsCookie: boolean,
): IdentityEndpointResponse {
  const hasCookie = clearsCookie && cookie !== null
  const headers = {
    'cache-control': 'no-store',
    ...(hasCookie ? { 'set-cookie': formatClearedSignInCookie('session', baseUrl) } : {}),
  }
  if (url !== null) return createOAuthEndpointResponse(null, { ...headers, location: url }, 302)
  if (acceptsHtml) return respondMessagePage('You are signed out', 'You can close this page.', { headers })
  return createOAuthEndpointResponse('You are signed out.\n', headers)
}
