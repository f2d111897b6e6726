import { randomText } from '../../../platform/ids.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { BrowserIdentityRequest } from './browser-sessions.ts'
import { findSignInFormCookie, readSignInCookie, formatSignInCookie, type SignInFormCookie } from './cookies.ts'

type FormDependencies = Pick<IdentityDependencies, 'signer' | 'clock'>

/** The action of a form; its token is valid for no other. */
export type SignInFormStep =
  | 'sign-in'
  | 'new-password'
  | 'sign-out'
  | 'consent'
  | 'device'
  | 'invitation'
  | 'second-factor'
  | 'second-factor-setup'
  | 'passkey'
  | 'reset-password'
  | 'account-link'
  | 'provider-link'

/** A page that was open for longer is sent again. */
const lifetime_ms = 10 * 60_000

const signaturePurpose = 'browser-form'

/** A value that only the browser of a page has, with the header that gives it to a new one. */
export interface SignInFormBinding extends SignInFormCookie {
  readonly headers: Readonly<Record<string, string>>
}

/** A form cookie of the browser; a new one for a browser that has none. */
export function getOrCreateFormCookie({ cookie, baseUrl }: BrowserIdentityRequest): SignInFormBinding {
  const existing = findSignInFormCookie(cookie, baseUrl)
  if (existing !== null) return { ...existing, headers: {} }
  const [id, value] = [randomText(8), randomText(32)]
  return { id, value, headers: { 'set-cookie': formatSignInCookie(`form-${id}`, value, baseUrl) } }
}

/**
 * A token for a hidden field: other sites can neither read it nor have one that fits the cookie of this browser. `parts` is
 * what the form acts on, such as the parameters of the authorization request.
 */
export function signFormToken(
  { signer, clock }: FormDependencies,
  step: SignInFormStep,
  binding: SignInFormBinding,
  parts: readonly string[],
): string {
  const expires_ms = String(clock.now().getTime() + lifetime_ms)
  return `${expires_ms}.${binding.id}.${signer.sign(signaturePurpose, [step, binding.value, expires_ms, ...parts])}`
}

const tokenPattern = /^(\d{1,15})\.([0-9A-Za-z]{1,32})\.([\w-]{1,100})$/

interface FormRequest extends BrowserIdentityRequest {
  readonly form: URLSearchParams
}

/** True for a token, in a hidden field, that was signed for this browser and these parts a short while ago. */
export function isValidFormToken(
  { signer, clock }: FormDependencies,
  { step, field = 'form_token' }: { readonly step: SignInFormStep; readonly field?: string },
  request: FormRequest,
  parts: readonly string[],
): boolean {
  const [, expires_ms, id, signature] = tokenPattern.exec(request.form.get(field) ?? '') ?? []
  if (expires_ms === undefined || id === undefined || signature === undefined) return false
  const value = readSignInCookie(request.cookie, `form-${id}`, request.baseUrl)
  if (value === null) return false
  const isSigned = signer.verify(signaturePurpose, [step, value, expires_ms, ...parts], signature)
  return isSigned && clock.now().getTime() < Number(expires_ms)
}
