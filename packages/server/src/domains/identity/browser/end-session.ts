import { hasTokenPrefix } from '../../../platform/crypto/token-prefixes.ts'
import { parseBearerToken } from '../authenticate.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { findClient } from '../clients/find-client.ts'
import { isOAuthClientId, type OAuthProgram } from '../clients/oauth-client.ts'
import { findRedirectUriError } from '../clients/redirect-uris.ts'
import { readIdTokenHint, readUnverifiedAudience } from '../id-token.ts'
import {
  getFormField,
  OAuthProblem,
  createOAuthEndpointResponse,
  type IdentityEndpointRequest,
  type IdentityEndpointResponse,
} from '../oauth.ts'
import type { IdentityEndpointPage } from '../page-texts/page.ts'
import { fill } from '../page-texts/page-text.ts'
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
  const target = await readTarget(dependencies, request, isSubmission ? request.query : request.form)
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

/** URLs of the platform and, for a program of others, of the origins of its redirect URIs. */
function isLogoutUri(
  { clients }: IdentityDependencies,
  uri: string,
  { program, baseUrl }: { readonly program: OAuthProgram | null; readonly baseUrl: string },
): boolean {
  if (clients.isPostLogoutRedirectUri(uri, baseUrl)) return true
  if (!program || !uri.startsWith('https://') || findRedirectUriError(uri, 'confidential') !== null) return false
  const { origin } = new URL(uri)
  return program.redirect_uris.some((registered) => new URL(registered).origin === origin)
}

/** The program of others that a request names, by its id or in an ID token; null for one of the platform. */
async function findProgram(
  dependencies: IdentityDependencies,
  { address }: IdentityEndpointRequest,
  parameters: URLSearchParams,
): Promise<OAuthProgram | null> {
  const hint = getFormField(parameters, 'id_token_hint')
  const id = getFormField(parameters, 'client_id') ?? (hint === null ? null : readUnverifiedAudience(hint))
  return id !== null && isOAuthClientId(id) ? findClient(dependencies, id, address) : null
}

const targetParameters = ['client_id', 'post_logout_redirect_uri', 'state'] as const

async function readTarget(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
  parameters: URLSearchParams,
): Promise<LogoutTarget> {
  const program = await findProgram(dependencies, request, parameters)
  const entries = targetParameters.flatMap((name): [string, string][] => {
    // The form does not repeat the ID token.
    const value = name === 'client_id' && program ? program.id : getFormField(parameters, name)
    return value === null ? [] : [[name, value]]
  })
  const query = new URLSearchParams(entries)
  const uri = query.get('post_logout_redirect_uri')
  const isPermitted = uri !== null && isLogoutUri(dependencies, uri, { program, baseUrl: request.baseUrl })
  if (uri === null || !isPermitted) return { url: null, query: query.toString() }
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
    if (session === null) continue
    // A program of others signs itself out; whether the browser stays signed in is for its user to say.
    if (session.isOfOthers) await endSession(dependencies, session.id, reason)
    const root = session.isOfOthers ? session.id : await endSessionOfBrowser(dependencies, session.id, reason)
    if (root !== null) ended.push(root)
  }
  return ended
}

interface SessionOfToken {
  readonly id: string
  readonly isOfOthers: boolean
}

/** Throws `invalid_request` if an ID token belongs to another client than the request names. */
async function findSessionOfToken(
  dependencies: IdentityDependencies,
  { form, baseUrl }: IdentityEndpointRequest,
  token: string,
): Promise<SessionOfToken | null> {
  const audience = readUnverifiedAudience(token)
  const client_ids = [
    ...dependencies.clients.ids,
    ...(audience !== null && isOAuthClientId(audience) ? [audience] : []),
  ]
  const hint = await readIdTokenHint(dependencies.keys, token, { client_ids, baseUrl })
  const client_id = getFormField(form, 'client_id')
  if (hint && client_id !== null && client_id !== hint.client_id)
    throw new OAuthProblem('invalid_request', 'id_token_hint was issued to another client than client_id.')
  if (hint) return { id: hint.session, isOfOthers: isOAuthClientId(hint.client_id) }
  const claims = await dependencies.tokens.verify(token)
  if (claims) return { id: claims.session, isOfOthers: isOAuthClientId(claims.client_id) }
  const row = await findSessionByRefreshToken(dependencies, token)
  return row && { id: row.id, isOfOthers: row.client !== null && isOAuthClientId(row.client.client_id) }
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
  const page: IdentityEndpointPage = {
    title: 'Sign out?',
    paragraphs: [fill('You are signed in as {email}.', { email: browserSession.user.email })],
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
