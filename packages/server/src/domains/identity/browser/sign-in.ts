import type { IdentityEndpointResponse } from '../oauth.ts'
import { hasVerifiedDomains } from '../../organizations/federation/store.domains.ts'
import { needsProvider } from '../federation/admission.ts'
import { findProviderOfEmail } from '../federation/find-provider.ts'
import { startProviderSignIn } from '../federation/start-provider-sign-in.ts'
import { findUserIn } from '../memberships/choose-organization.ts'
import { hasAdministratorSignedIn, type UserAuthRow } from '../store.ts'
import { isUuid } from '../../../platform/ids.ts'
import { resetPasswordPagePath } from '../account/compose-account-mail.ts'
import { showPasskeySignInPage } from '../passkeys/passkey-sign-in.ts'
import type { IdentityEndpointPage, IdentityFormButton } from '../page-texts/page.ts'
import { fill, type PageText } from '../page-texts/page-text.ts'
import { hasSecondFactor } from '../second-factor/methods.ts'
import { showSecondFactorPage } from '../second-factor/second-factor-page.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { getOrCreateFormCookie, isValidFormToken, signFormToken } from './form-tokens.ts'
import { showNewPasswordPage } from './new-password.ts'
import { attemptPasswordSignIn } from './password-attempt.ts'
import { provePassword } from './proof-forms.ts'
import { expiredSignInFormError, createPageResponse, signInFormFields, type SignInFormError } from './pages.ts'
import type { AuthorizationRequestContext, SignInPage, FormSubmissionResult } from './submission.ts'

/** A longer text in the field is not an email. */
const max_email_length = 320

/** The values that the form token is bound to. */
const signedParts = ({ authorization, session_id }: AuthorizationRequestContext): readonly string[] => [
  authorization.query,
  session_id ?? '',
]

/** The page that asks for email and password. */
export async function showSignInPage(
  context: AuthorizationRequestContext,
  { email, error, status, headers = {} }: SignInPage,
): Promise<IdentityEndpointResponse> {
  const { dependencies, request, authorization, session_id } = context
  const binding = getOrCreateFormCookie(request)
  const isFirstUse = !(await hasAdministratorSignedIn(dependencies.unscoped))
  const page: IdentityEndpointPage = {
    title: 'Sign in',
    paragraphs: [
      describeDestination(authorization),
      ...(isFirstUse ? [fill(firstUseText, { file: dependencies.first_credentials_file })] : []),
    ],
    form: {
      query: authorization.query,
      hidden: {
        step: 'sign-in',
        session: session_id ?? '',
        form_token: signFormToken(dependencies, 'sign-in', binding, signedParts(context)),
      },
      fields: signInFormFields(email.slice(0, max_email_length)),
      button: 'Sign in',
      otherButton: changeButton,
      shortButtons: [...(await listProviderButtons(context, email)), passkeyButton],
      error: error ?? null,
      redirect_uri: authorization.redirect_uri,
    },
    links: [{ label: 'Forgot your password?', url: resetPasswordPagePath }],
  }
  return createPageResponse(page, {
    ...(status === undefined ? {} : { status }),
    headers: { ...binding.headers, ...headers },
  })
}

const firstUseText = 'No administrator has signed in yet. The first credentials are in the file `{file}` on the server.'

/** Where somebody goes on after signing in. */
const describeDestination = ({ client, session_ended }: AuthorizationRequest): PageText =>
  session_ended
    ? 'Your session has ended. Sign in again to continue where you were; what was saved is kept.'
    : (client.destination ?? fill('Continue to {client}.', { client: client.name }))

/** Leads to the sign-in of an organization, of which the address says which. Absent where no organization has one. */
async function listProviderButtons(
  { dependencies: { unscoped } }: AuthorizationRequestContext,
  email: string,
): Promise<readonly IdentityFormButton[]> {
  if (!(await hasVerifiedDomains(unscoped))) return []
  const found = await findProviderOfEmail(unscoped, email)
  const label = found
    ? fill('Continue with {organization}', { organization: found.organization.name })
    : 'Continue with your organization'
  return [{ name: nextPageField, value: providerStep, label }]
}

const nextPageField = 'next_page'
const providerStep = 'provider'

/** Leads to the page for a new password once the present one was entered. */
const changeButton = { name: nextPageField, value: 'new-password', label: 'Sign in and change the password' } as const

/** Leads to the page that asks for a passkey. */
const passkeyButton = { name: nextPageField, value: 'passkey', label: 'Sign in with a passkey' } as const

const wrongCredentials: SignInFormError = { text: 'The e-mail or the password is wrong.', field: 'password' }

/** Checks email and password. A one-time password leads to the page that replaces it, as does the button to change it. */
export async function submitSignIn(context: AuthorizationRequestContext): Promise<FormSubmissionResult> {
  const { dependencies, request } = context
  const email = request.form.get('email') ?? ''
  const password = request.form.get('password') ?? ''
  const showAgain = (more: Omit<SignInPage, 'email'>): FormSubmissionResult => ({
    signInAgain: { email, status: 400, ...more },
  })
  if (!isValidFormToken(dependencies, { step: 'sign-in' }, request, signedParts(context)))
    return showAgain({ error: expiredSignInFormError })
  if (request.form.get(passkeyButton.name) === passkeyButton.value)
    return { response: await showPasskeySignInPage(context) }
  if (email === '') return showAgain({ error: { text: 'Enter your e-mail address.', field: 'email' } })
  if (request.form.get(nextPageField) === providerStep) return startProviderSignIn(context, email)
  if (password === '') return showAgain({ error: { text: 'Enter your password.', field: 'password' } })
  const attempt = await attemptPasswordSignIn(dependencies, { username: email, password, address: request.address })
  if ('refusal' in attempt) return showAgain(attempt.refusal)
  const { user } = attempt
  if (!user) return showAgain({ error: wrongCredentials })
  if (await isProviderNeeded(context, user)) return startProviderSignIn(context, email)
  const isChange = user.password_temporary || request.form.get(changeButton.name) === changeButton.value
  if (!isChange) return { user }
  const proven = provePassword(dependencies, user)
  return {
    response: hasSecondFactor(user)
      ? await showSecondFactorPage(context, proven, { next: 'new-password' })
      : showNewPasswordPage(context, proven),
  }
}

/** True if the organization that the request is for, or every one of the user, accepts its provider alone. */
async function isProviderNeeded(
  { dependencies: { unscoped }, authorization: { organization_id } }: AuthorizationRequestContext,
  { id }: UserAuthRow,
): Promise<boolean> {
  if (organization_id !== null && isUuid(organization_id))
    return needsProvider(unscoped, organization_id.toLowerCase(), id)
  return (await findUserIn(unscoped, null, id, null)) === null
}
