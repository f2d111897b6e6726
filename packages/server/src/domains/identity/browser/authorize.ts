import { Problem } from '../../../engine/problem.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { EndpointRequest, EndpointResponse } from '../oauth.ts'
import { recordSignIn } from '../password-sign-in.ts'
import type { UserAuthRow } from '../store.ts'
import { issueAuthorizationCode } from './authorization-codes.ts'
import { AuthorizationError, toResponseUrl, UntrustedRedirect } from './authorization-error.ts'
import { parseAuthorizationRequest, type AuthorizationRequest } from './authorization-request.ts'
import { getBrowserSession, startBrowserSession, touchBrowserSession, type BrowserSession } from './browser-sessions.ts'
import { submitNewPassword } from './new-password.ts'
import { respondMessage, respondRedirect } from './pages.ts'
import { showSignInPage, submitSignIn } from './sign-in.ts'
import type { AuthorizationContext, SubmissionResult } from './submission.ts'
import type { BrowserSessionRow } from './store.browser-sessions.ts'

type Submission = (context: AuthorizationContext) => Promise<SubmissionResult>

/** The forms of the pages, by their hidden field `step`. */
const submissions: Readonly<Record<string, Submission>> = {
  'sign-in': submitSignIn,
  'new-password': submitNewPassword,
}

/**
 * The authorization endpoint. A request by GET or POST (OpenID Connect core 3.1.2.1) is answered with a code if the browser is
 * signed in, and with the sign-in page otherwise. The forms of the pages are posted to the same URL.
 */
export async function authorize(
  dependencies: IdentityDependencies,
  request: EndpointRequest,
): Promise<EndpointResponse> {
  const isSubmission = request.method === 'POST' && request.form.has('form_token')
  try {
    const parameters = isSubmission ? request.query : request.form
    const authorization = parseAuthorizationRequest(parameters, dependencies.clients, request.baseUrl)
    const context = { dependencies, request, authorization }
    return isSubmission ? await handleSubmission(context) : await handleRequest(context)
  } catch (error) {
    return respondError(error, request)
  }
}

function respondError(error: unknown, { baseUrl }: EndpointRequest): EndpointResponse {
  if (error instanceof UntrustedRedirect) {
    return respondMessage('This sign-in link does not work', error.message, { status: 400 })
  }
  if (error instanceof AuthorizationError) {
    const { code, message, target } = error
    return respondRedirect(toResponseUrl(target, baseUrl, { error: code, error_description: message }))
  }
  if (error instanceof Problem && error.status < 500) {
    const headers: Record<string, string> = {}
    if ('retry_after_s' in error.extra) headers['retry-after'] = String(error.extra['retry_after_s'])
    return respondMessage('Sign-in is not possible now', error.message, { status: error.status, headers })
  }
  throw error
}

async function handleRequest(context: AuthorizationContext): Promise<EndpointResponse> {
  const { dependencies, request, authorization } = context
  const session = await getBrowserSession(dependencies, request)
  if (session && isRecentEnough(dependencies, session, authorization)) {
    await touchBrowserSession(dependencies, session)
    return respondWithCode(context, session)
  }
  if (authorization.prompt === 'none') {
    throw new AuthorizationError('login_required', 'The user has to enter the password.', authorization)
  }
  return showSignInPage(context, { email: authorization.login_hint ?? session?.user.email ?? '' })
}

/** False if the client wants the password to be entered again. */
function isRecentEnough(
  { clock }: IdentityDependencies,
  session: BrowserSession,
  { prompt, max_age_s }: AuthorizationRequest,
): boolean {
  if (prompt === 'login') return false
  const age_ms = clock.now().getTime() - session.authenticated_at.getTime()
  return max_age_s === null || age_ms < max_age_s * 1000
}

async function handleSubmission(context: AuthorizationContext): Promise<EndpointResponse> {
  const step = context.request.form.get('step') ?? ''
  const submit = Object.hasOwn(submissions, step) ? submissions[step] : undefined
  if (!submit) return respondMessage('This form does not exist', 'Go back and try again.', { status: 400 })
  const result = await submit(context)
  return 'response' in result ? result.response : signIn(context, result.user)
}

/** Signs the browser in and sends it back to the client. */
async function signIn(context: AuthorizationContext, user: UserAuthRow): Promise<EndpointResponse> {
  const { dependencies, request } = context
  const { session, cookie } = await startBrowserSession(dependencies, request, user)
  await recordSignIn(dependencies, user)
  return respondWithCode(context, session, { 'set-cookie': cookie })
}

async function respondWithCode(
  { dependencies, request, authorization }: AuthorizationContext,
  session: BrowserSessionRow,
  headers: Readonly<Record<string, string>> = {},
): Promise<EndpointResponse> {
  const { client, redirect_uri, code_challenge, nonce, openid } = authorization
  const code = await issueAuthorizationCode(dependencies, {
    browser_session_id: session.id,
    user_id: session.user_id,
    client_id: client.id,
    redirect_uri,
    code_challenge,
    nonce,
    openid,
    authenticated_at: session.authenticated_at,
  })
  return respondRedirect(toResponseUrl(authorization, request.baseUrl, { code }), headers)
}
