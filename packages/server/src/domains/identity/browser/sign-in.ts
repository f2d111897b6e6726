import { Problem } from '../../../engine/problem.ts'
import type { EndpointResponse } from '../oauth.ts'
import { verifyUserPassword } from '../password-sign-in.ts'
import { hasAdministratorSignedIn, type UserAuthRow } from '../store.ts'
import { bindForms, isFormToken, signForm } from './form-tokens.ts'
import { showNewPasswordPage } from './new-password.ts'
import { expiredFormError, respondPage, signInFields, type FormError } from './pages.ts'
import type { AuthorizationContext, SubmissionResult } from './submission.ts'

export interface SignInPage {
  /** The email that the field shows. */
  readonly email: string
  readonly error?: FormError
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A longer text in the field is not an email. */
const max_email_length = 320

/** The page that asks for email and password. */
export async function showSignInPage(
  { dependencies, request, authorization }: AuthorizationContext,
  { email, error, status, headers = {} }: SignInPage,
): Promise<EndpointResponse> {
  const binding = bindForms(request)
  const isFirstUse = !(await hasAdministratorSignedIn(dependencies.unscoped))
  const firstUseText = `Nobody has signed in here yet. The first credentials are in the file ${dependencies.first_credentials_file} of the server.`
  const page = {
    title: 'Sign in',
    paragraphs: [`Continue to ${authorization.client.name}.`, ...(isFirstUse ? [firstUseText] : [])],
    form: {
      query: authorization.query,
      hidden: { step: 'sign-in', form_token: signForm(dependencies, 'sign-in', binding, [authorization.query]) },
      fields: signInFields(email.slice(0, max_email_length)),
      button: 'Sign in',
      error: error ?? null,
      redirect_uri: authorization.redirect_uri,
    },
  }
  return respondPage(page, { ...(status === undefined ? {} : { status }), headers: { ...binding.headers, ...headers } })
}

const wrongCredentials: FormError = { text: 'The e-mail or the password is wrong.', field: 'password' }

/** Checks email and password. A one-time password leads to the page that replaces it. */
export async function submitSignIn(context: AuthorizationContext): Promise<SubmissionResult> {
  const { dependencies, request, authorization } = context
  const email = request.form.get('email') ?? ''
  const password = request.form.get('password') ?? ''
  const showAgain = async (more: Omit<SignInPage, 'email'>): Promise<SubmissionResult> => ({
    response: await showSignInPage(context, { email, status: 400, ...more }),
  })
  if (!isFormToken(dependencies, 'sign-in', request, [authorization.query]))
    return showAgain({ error: expiredFormError })
  if (email === '') return showAgain({ error: { text: 'Enter your e-mail address.', field: 'email' } })
  if (password === '') return showAgain({ error: { text: 'Enter your password.', field: 'password' } })
  const attempt = await attemptPassword(context, { username: email, password })
  if ('refusal' in attempt) return showAgain(attempt.refusal)
  const { user } = attempt
  if (!user) return showAgain({ error: wrongCredentials })
  return user.password_temporary ? { response: showNewPasswordPage(context, user) } : { user }
}

/** The user, or null for a wrong password; the refusal of too many attempts is shown in the form. */
async function attemptPassword(
  { dependencies, request: { address } }: AuthorizationContext,
  credentials: { readonly username: string; readonly password: string },
): Promise<{ readonly user: UserAuthRow | null } | { readonly refusal: Omit<SignInPage, 'email'> }> {
  try {
    return { user: await verifyUserPassword(dependencies, { ...credentials, address }) }
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'rate-limited') throw error
    const retry_after_s = Number(error.extra['retry_after_s'] ?? 1)
    const text = `Too many failed attempts. Try again in ${formatWait(retry_after_s)}.`
    const headers = { 'retry-after': String(retry_after_s) }
    return { refusal: { error: { text, field: null }, status: 429, headers } }
  }
}

function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (seconds < 60) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
}
