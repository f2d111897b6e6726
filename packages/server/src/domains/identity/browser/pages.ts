import { findPasswordError } from '../../users/password-rules.ts'
import type { IdentityFormField, IdentityPageForm, IdentityEndpointPage, IdentityEndpointResponse } from '../oauth.ts'

interface PageOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A page as a response that nobody stores. */
export const createPageResponse = (
  page: IdentityEndpointPage,
  { status = 200, headers = {} }: PageOptions = {},
): IdentityEndpointResponse => ({ status, body: null, headers: { 'cache-control': 'no-store', ...headers }, page })

/** A page that only says something. */
export const respondMessagePage = (title: string, text: string, options?: PageOptions): IdentityEndpointResponse =>
  createPageResponse({ title, paragraphs: [text], form: null }, options)

/** 303: the browser follows with a GET, so that a posted password is not sent on (RFC 9700 4.12). */
export const respondRedirect = (
  location: string,
  headers: Readonly<Record<string, string>> = {},
): IdentityEndpointResponse => ({
  status: 303,
  body: null,
  headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', location, ...headers },
})

export const emailField = (value: string, isReadonly: boolean): IdentityFormField => ({
  name: 'email',
  label: 'E-mail',
  type: 'email',
  autocomplete: 'username',
  value,
  ...(isReadonly ? { readonly: true } : {}),
})

export const passwordField = (
  field: Pick<IdentityFormField, 'name' | 'label' | 'autocomplete' | 'hint'>,
): IdentityFormField => ({
  ...field,
  type: 'password',
  value: '',
})

/** The fields of the sign-in page; an email that was entered before is shown again, a password never. */
export const signInFormFields = (email: string): readonly IdentityFormField[] => [
  emailField(email, false),
  passwordField({ name: 'password', label: 'Password', autocomplete: 'current-password' }),
]

/** The fields of the page that replaces a one-time password. */
export const newPasswordFormFields = (email: string, hint: string): readonly IdentityFormField[] => [
  emailField(email, true),
  ...newPasswordFields(hint, 'New password'),
]

/** A password that the user chooses, twice. */
export const newPasswordFields = (hint: string, label = 'Password'): readonly IdentityFormField[] => [
  passwordField({ name: 'new_password', label, autocomplete: 'new-password', hint }),
  passwordField({ name: 'new_password_again', label: `${label}, again`, autocomplete: 'new-password' }),
]

/** The field of the page that asks for the code of a device. */
export const deviceCodeFields = (value: string): readonly IdentityFormField[] => [
  {
    name: 'user_code',
    label: 'Code',
    type: 'code',
    autocomplete: 'one-time-code',
    value,
    hint: 'Eight letters, such as WDJB-MJHT.',
  },
]

/** The field of the pages that ask for a code of the second factor. */
export const otpField = (label: string): IdentityFormField => ({
  name: 'otp',
  label,
  type: 'otp',
  autocomplete: 'one-time-code',
  value: '',
})

/** The error for which a submitted form is shown again. */
export type SignInFormError = NonNullable<IdentityPageForm['error']>

/** What is wrong with the password that was entered in those fields; null for one that may be used. */
export function findNewPasswordError(form: URLSearchParams, email: string): SignInFormError | null {
  const password = form.get('new_password') ?? ''
  const violation = findPasswordError({ password, email })
  if (violation !== null) return { text: violation, field: 'new_password' }
  if (password !== (form.get('new_password_again') ?? ''))
    return { text: 'The two passwords are not equal.', field: 'new_password_again' }
  return null
}

/** The refusal of a form whose token is missing, expired, or was made for another browser or request. */
export const expiredSignInFormError: SignInFormError = {
  text: 'This page was open for too long, or your browser blocks its cookies. Please try again.',
  field: null,
}
