import { randomText } from '../../../platform/ids.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { BrowserRequest } from './browser-sessions.ts'
import { readCookie, setCookie } from './cookies.ts'

type FormDependencies = Pick<IdentityDependencies, 'signer' | 'clock'>

/** What a form does; its token is valid for nothing else. */
export type FormStep = 'sign-in' | 'new-password' | 'sign-out'

/** A page that was open for longer is sent again. */
const lifetime_ms = 10 * 60_000

const signaturePurpose = 'browser-form'

/** A value that only the browser of a page has, with the header that gives it to a new one. */
export interface FormBinding {
  readonly value: string
  readonly headers: Readonly<Record<string, string>>
}

/** The value of the form cookie; a new one for a browser that has none. */
export function bindForms({ cookie, baseUrl }: BrowserRequest): FormBinding {
  const existing = readCookie(cookie, 'form', baseUrl)
  if (existing !== null) return { value: existing, headers: {} }
  const value = randomText(32)
  return { value, headers: { 'set-cookie': setCookie('form', value, baseUrl) } }
}

/**
 * A token for a hidden field: other sites can neither read it nor have one that fits the cookie of this browser. `parts` is
 * what the form acts on, such as the parameters of the authorization request.
 */
export function signForm(
  { signer, clock }: FormDependencies,
  step: FormStep,
  binding: FormBinding,
  parts: readonly string[],
): string {
  const expires_ms = String(clock.now().getTime() + lifetime_ms)
  return `${expires_ms}.${signer.sign(signaturePurpose, [step, binding.value, expires_ms, ...parts])}`
}

/** True for a token that was signed for this browser and these parts a short while ago. */
export function isFormToken(
  { signer, clock }: FormDependencies,
  step: FormStep,
  request: BrowserRequest & { readonly form: URLSearchParams },
  parts: readonly string[],
): boolean {
  const value = readCookie(request.cookie, 'form', request.baseUrl)
  const [, expires_ms, signature] = /^(\d{1,15})\.([\w-]{1,100})$/.exec(request.form.get('form_token') ?? '') ?? []
  if (value === null || expires_ms === undefined || signature === undefined) return false
  const isSigned = signer.verify(signaturePurpose, [step, value, expires_ms, ...parts], signature)
  return isSigned && clock.now().getTime() < Number(expires_ms)
}
