import { Problem } from '../../../engine/problem.ts'
import { isUuid } from '../../../platform/ids.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { needsProvider } from '../federation/admission.ts'
import { recordProviderSession, type ProviderSignIn } from '../federation/provider-sessions.ts'
import { readIdTokenHint } from '../id-token.ts'
import { findUserIn, notMemberMessage } from '../memberships/choose-organization.ts'
import type { IdentityEndpointRequest, IdentityEndpointResponse } from '../oauth.ts'
import { sentence } from '../page-texts/page-text.ts'
import { recordAdministratorSignIn } from '../password-sign-in.ts'
import { submitPasskeySignIn } from '../passkeys/passkey-sign-in.ts'
import { findNextStep, findStepUp } from '../second-factor/next-step.ts'
import { showRecoveryCodesPage } from '../second-factor/recovery-codes-page.ts'
import { submitSecondFactor } from '../second-factor/second-factor-page.ts'
import { submitSecondFactorSetup } from '../second-factor/setup-page.ts'
import { AuthorizationError, toAuthorizationResponseUrl, UntrustedRedirect } from './authorization-error.ts'
import { parseAuthorizationRequest, type AuthorizationRequest } from './authorization-request.ts'
import {
  getBrowserSession,
  startBrowserSession,
  extendBrowserSession,
  type BrowserSession,
} from './browser-sessions.ts'
import { continueToClient, submitConsent } from './consent.ts'
import { findAuthorizationClients, requireCodeGrant } from './authorization-clients.ts'
import { submitNewPassword } from './new-password.ts'
import { respondMessagePage, respondRedirect } from './pages.ts'
import { completeProof, type CompleteProof } from './proof-forms.ts'
import { showSignInPage, submitSignIn } from './sign-in.ts'
import type { BrowserSessionRow } from './store.browser-sessions.ts'
import type { AuthorizationRequestContext, SignInPage, FormSubmissionResult } from './submission.ts'

type Submission = (context: AuthorizationRequestContext) => Promise<FormSubmissionResult>

/** The forms of the pages, by their hidden field `step`. */
const submissions: Readonly<Record<string, Submission>> = {
  'sign-in': submitSignIn,
  'new-password': submitNewPassword,
  consent: submitConsent,
  'second-factor': submitSecondFactor,
  'second-factor-setup': submitSecondFactorSetup,
  passkey: submitPasskeySignIn,
}

/**
 * The authorization endpoint. A request by GET or POST (OpenID Connect core 3.1.2.1) is answered with a code if the browser is
 * signed in, and with the sign-in page otherwise. The forms of the pages are posted to the same URL.
 */
export async function handleAuthorizationRequest(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  const isSubmission = request.method === 'POST' && request.form.has('form_token')
  try {
    const parameters = isSubmission ? request.query : request.form
    const clients = await findAuthorizationClients(dependencies, request, parameters)
    const authorization = parseAuthorizationRequest(parameters, clients, request.baseUrl)
    requireCodeGrant(authorization)
    const context = { dependencies, request, authorization }
    return isSubmission ? await handleSubmission(context) : await handleRequest(context)
  } catch (error) {
    return respondError(error, request)
  }
}

/** The response to an error of an authorization request: to the client if it can be trusted, else as a page. */
export function respondError(error: unknown, { baseUrl }: IdentityEndpointRequest): IdentityEndpointResponse {
  if (error instanceof UntrustedRedirect) {
    return respondMessagePage('This sign-in link does not work', sentence(error.message), { status: 400 })
  }
  if (error instanceof AuthorizationError) {
    const { code, message, target } = error
    return respondRedirect(toAuthorizationResponseUrl(target, baseUrl, { error: code, error_description: message }))
  }
  // A 500 is an internal error; 429 and 503 say when to try again.
  if (error instanceof Problem && error.status !== 500) {
    const headers: Record<string, string> = {}
    if ('retry_after_s' in error.extra) headers['retry-after'] = String(error.extra['retry_after_s'])
    return respondMessagePage('Sign-in is not possible now', sentence(error.message), { status: error.status, headers })
  }
  throw error
}

type RequestContext = Omit<AuthorizationRequestContext, 'session_id'>

async function handleRequest(context: RequestContext): Promise<IdentityEndpointResponse> {
  const { dependencies, request, authorization } = context
  const session = await getBrowserSession(dependencies, request)
  const hint = await readUserHint(context)
  const isRecent = session !== null && isRecentEnough(dependencies, session, authorization)
  if (isRecent && isHinted(hint, session.user_id) && (await isForOrganization(context, session))) {
    await requireMembership(context, session)
    const step = await findStepUp({ ...context, session_id: session.id }, session)
    if (step === 'none') {
      await extendBrowserSession(dependencies, session)
      return continueToClient(context, session)
    }
    if (step !== 'password' && authorization.prompt !== 'none') return step.response
  }
  if (authorization.prompt === 'none') {
    throw new AuthorizationError('login_required', 'The user has to enter the password.', authorization)
  }
  const email = authorization.login_hint ?? session?.user.email ?? ''
  return showSignInPage({ ...context, session_id: session?.id ?? null }, { email })
}

/** The user who is expected to be signed in (`id_token_hint`, OpenID Connect core 3.1.2.1). */
type UserHint = { readonly subject: string } | 'anybody' | 'unreadable'

async function readUserHint({ dependencies, request, authorization }: RequestContext): Promise<UserHint> {
  const { id_token_hint } = authorization
  if (id_token_hint === null) return 'anybody'
  const readers = { client_ids: [...dependencies.clients.ids, authorization.client.id], baseUrl: request.baseUrl }
  return (await readIdTokenHint(dependencies.keys, id_token_hint, readers)) ?? 'unreadable'
}

/** A hint that cannot be read is nobody who is signed in; whoever enters a password then is as good as any. */
const isHinted = (hint: UserHint, user: string): boolean =>
  hint === 'anybody' || (hint !== 'unreadable' && hint.subject === user)

type SessionUser = Pick<BrowserSessionRow, 'user_id' | 'provider_organization_id'>

/**
 * False if the request names an organization to which the session does not lead, though its user is in it: that of another provider, or
 * one that accepts its provider alone. The user signs in again then.
 */
async function isForOrganization(
  { dependencies: { unscoped }, authorization: { organization_id } }: RequestContext,
  { user_id, provider_organization_id }: SessionUser,
): Promise<boolean> {
  const organization = organization_id?.toLowerCase() ?? null
  if (organization === null || !isUuid(organization)) return true
  if (provider_organization_id !== null) return provider_organization_id === organization
  return !(await needsProvider(unscoped, organization, user_id))
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

async function handleSubmission(request: RequestContext): Promise<IdentityEndpointResponse> {
  const { form } = request.request
  const session = form.get('session') ?? ''
  // The form is signed for it.
  const context = { ...request, session_id: isUuid(session) ? session : null }
  const step = form.get('step') ?? ''
  const submit = Object.hasOwn(submissions, step) ? submissions[step] : undefined
  if (!submit) return respondMessagePage('This form does not exist', 'Go back and try again.', { status: 400 })
  const result = await submit(context)
  if ('response' in result) return result.response
  return 'user' in result ? continueSignIn(context, result) : showSignInAgain(context, result.signInAgain)
}

/** The session of the form may be that of a token which was refused. */
async function showSignInAgain(
  context: AuthorizationRequestContext,
  page: SignInPage,
): Promise<IdentityEndpointResponse> {
  const session = await getBrowserSession(context.dependencies, context.request)
  return showSignInPage({ ...context, session_id: session?.id ?? null }, page)
}

/** Asks for a second factor if one is needed. */
async function continueSignIn(
  context: AuthorizationRequestContext,
  result: Extract<FormSubmissionResult, { user: unknown }>,
): Promise<IdentityEndpointResponse> {
  const proven = completeProof(context.dependencies, result)
  const next = await findNextStep(context, proven)
  return next ?? signIn(context, { ...proven, recovery_codes: result.recovery_codes ?? null })
}

/** Who has proven to be a user, and how. */
interface SignedInUser extends CompleteProof {
  /** The first recovery codes, which are shown once. */
  readonly recovery_codes: readonly string[] | null
  /** What the provider said with which the user signed in; absent for a password. */
  readonly signedInBy?: ProviderSignIn
}

/** Signs the browser in and sends it back to the client, after its first recovery codes were shown. */
export async function signIn(
  context: AuthorizationRequestContext,
  { user, proof, recovery_codes, signedInBy }: SignedInUser,
): Promise<IdentityEndpointResponse> {
  const { dependencies, request, authorization } = context
  const hint = await readUserHint(context)
  if (hint !== 'unreadable' && !isHinted(hint, user.id))
    throw new AuthorizationError('login_required', 'Another user signed in than the ID token names.', authorization)
  const provider_organization_id = signedInBy?.organization_id ?? null
  await requireMembership(context, { user_id: user.id, provider_organization_id })
  const browser = { ...request, session_id: context.session_id }
  const { session, cookie } = await startBrowserSession(dependencies, browser, user, {
    proof,
    provider_organization_id,
  })
  if (signedInBy) await recordProviderSession(dependencies, session, signedInBy)
  await recordAdministratorSignIn(dependencies, user)
  if (recovery_codes) return showRecoveryCodesPage(context, recovery_codes, { 'set-cookie': cookie })
  return continueToClient(context, session, { 'set-cookie': cookie })
}

/** Throws unless the user is in the organization that the request names, if it names one. */
async function requireMembership(
  { dependencies, authorization }: RequestContext,
  { user_id, provider_organization_id }: SessionUser,
): Promise<void> {
  const { organization_id } = authorization
  if (organization_id === null) return
  if (await findUserIn(dependencies.unscoped, organization_id, user_id, provider_organization_id)) return
  throw new AuthorizationError('access_denied', notMemberMessage, authorization)
}
