import { max_password_bytes } from '../../../platform/crypto/passwords.ts'
import { findViolatedPasswordRule, type PasswordRuleName } from '../../users/password-rules.ts'
import { limits } from '@swath/contract/limits.ts'
import type { IdentityEndpointResponse } from '../oauth.ts'
import type { IdentityEndpointPage, IdentityFormField, IdentityPageForm } from '../page-texts/page.ts'
import { fill, type PageText } from '../page-texts/page-text.ts'

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
export const respondMessagePage = (title: PageText, text: PageText, options?: PageOptions): IdentityEndpointResponse =>
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
export const newPasswordFormFields = (email: string): readonly IdentityFormField[] => [
  emailField(email, true),
  ...newPasswordFields('New password', 'New password, again'),
]

/** A password that the user chooses, twice. */
export const newPasswordFields = (label: PageText, again: PageText): readonly IdentityFormField[] => [
  passwordField({
    name: 'new_password',
    label,
    autocomplete: 'new-password',
    hint: fill('At least {count} characters.', { count: String(limits.min_password_length) }),
  }),
  passwordField({ name: 'new_password_again', label: again, autocomplete: 'new-password' }),
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
export const otpField = (label: PageText): IdentityFormField => ({
  name: 'otp',
  label,
  type: 'otp',
  autocomplete: 'one-time-code',
  value: '',
})

/** The error for which a submitted form is shown again. */
export type SignInFormError = NonNullable<IdentityPageForm['error']>

const passwordRuleTexts: Readonly<Record<PasswordRuleName, PageText>> = {
  'too-short': fill('The password must have at least {count} characters.', {
    count: String(limits.min_password_length),
  }),
  'too-long': fill('The password must have at most {count} bytes.', { count: String(max_password_bytes) }),
  'is-email': 'The password must not be the e-mail address.',
}

/** What is wrong with the password that was entered in those fields; null for one that may be used. */
export function findNewPasswordError(form: URLSearchParams, email: string): SignInFormError | null {
  const password = form.get('new_password') ?? ''
  const violated = findViolatedPasswordRule({ password, email })
  if (violated !== null) return { text: passwordRuleTexts[violated], field: 'new_password' }
  if (password !== (form.get('new_password_again') ?? ''))
    return { text: 'The two passwords are not equal.', field: 'new_password_again' }
  return null
}

/** The refusal of a form whose token is missing, expired, or was made for another browser or request. */
export const expiredSignInFormError: SignInFormError = {
  text: 'This page was open for too long, or your browser blocks its cookies. Please try again.',
  field: null,
}
