import type { AuthorizationRequest } from '../browser/authorization-request.ts'
import { getOrCreateFormCookie, isValidFormToken, signFormToken } from '../browser/form-tokens.ts'
import { showNewPasswordPage } from '../browser/new-password.ts'
import { createPageResponse, expiredSignInFormError } from '../browser/pages.ts'
import { readPostedCredential } from '../browser/proof-forms.ts'
import type { AuthorizationRequestContext, FormSubmissionResult } from '../browser/submission.ts'
import type { IdentityEndpointResponse } from '../oauth.ts'
import type { IdentityEndpointPage } from '../page-texts/page.ts'
import type { PageText } from '../page-texts/page-text.ts'
import { toUserPrincipal } from '../principals.ts'
import { findUserAuth, type UserAuthRow } from '../store.ts'
import { recordUnknownCredentialsFailure } from '../unknown-credentials.ts'
import { beginPasskeyUse, methodsOfPasskey, usePasskey } from './passkeys.ts'
import { findRelyingParty, noRelyingPartyMessage, type RelyingParty } from './relying-party.ts'
import type { PasskeyRow } from './store.passkeys.ts'

const step = 'passkey'

const signedParts = ({ authorization, session_id }: AuthorizationRequestContext): readonly string[] => [
  authorization.query,
  session_id ?? '',
]

const toPasswordSignIn = ({ query }: AuthorizationRequest) =>
  ({ label: 'Sign in with your password', url: `?${query}` }) as const

/** The page that lets a browser choose a passkey, which says whose it is. */
export async function showPasskeySignInPage(
  context: AuthorizationRequestContext,
  error: PageText | null = null,
): Promise<IdentityEndpointResponse> {
  const { dependencies, request, authorization, session_id } = context
  const party = findRelyingParty(request.baseUrl)
  if (!party) {
    return createPageResponse(
      {
        title: 'Passkeys do not work here',
        paragraphs: [noRelyingPartyMessage],
        form: null,
        links: [toPasswordSignIn(authorization)],
      },
      { status: 400 },
    )
  }
  const binding = getOrCreateFormCookie(request)
  const { query, redirect_uri } = authorization
  const form_token = signFormToken(dependencies, step, binding, signedParts(context))
  const { options } = await beginPasskeyUse(dependencies, party, null)
  const page: IdentityEndpointPage = {
    title: 'Sign in with a passkey',
    paragraphs: ['Your browser asks for the passkey. Without a button here, this browser has no passkeys.'],
    form: null,
    passkey: {
      ceremony: 'get',
      options,
      query,
      hidden: { step, session: session_id ?? '', form_token },
      button: 'Use a passkey',
      error,
      redirect_uri,
    },
    links: [toPasswordSignIn(authorization)],
  }
  return createPageResponse(page, { status: error === null ? 200 : 400, headers: binding.headers })
}

/** Signs in with a passkey, which is two factors: the device has it, and has verified its user. */
export async function submitPasskeySignIn(context: AuthorizationRequestContext): Promise<FormSubmissionResult> {
  const { dependencies, request } = context
  if (!isValidFormToken(dependencies, { step }, request, signedParts(context)))
    return { signInAgain: { email: '', status: 400, error: expiredSignInFormError } }
  const party = findRelyingParty(request.baseUrl)
  const used = party && (await findUserOfPasskey(context, party))
  if (!used) {
    await recordUnknownCredentialsFailure(dependencies, request.address)
    const error = 'There is no such passkey here, or the page was open for too long. Try again.'
    return { response: await showPasskeySignInPage(context, error) }
  }
  const { user, passkey } = used
  const proven = { user, proof: { amr: methodsOfPasskey(passkey), authenticated_at: dependencies.clock.now() } }
  return user.password_temporary ? { response: showNewPasswordPage(context, proven) } : proven
}

/** The owner of the passkey of a posted form, who can sign in; null for any other form. */
async function findUserOfPasskey(
  { dependencies, request }: AuthorizationRequestContext,
  party: RelyingParty,
): Promise<{ readonly user: UserAuthRow; readonly passkey: PasskeyRow } | null> {
  const credential = readPostedCredential(request.form)
  const passkey = credential && (await usePasskey(dependencies, party, { credential, user: null }))
  const user = passkey && (await findUserAuth(dependencies.unscoped, passkey.user_id))
  return user && toUserPrincipal(user) ? { user, passkey } : null
}
