import { Problem } from '../../../engine/problem.ts'
import { getOrCreateFormCookie, signFormToken } from '../browser/form-tokens.ts'
import { showNewPasswordPage } from '../browser/new-password.ts'
import { createPageResponse, expiredSignInFormError, otpField, type SignInFormError } from '../browser/pages.ts'
import { refuseAttempts } from '../browser/password-attempt.ts'
import {
  proofFields,
  proofParts,
  readPostedCredential,
  readProof,
  withMethods,
  type CompleteProof,
} from '../browser/proof-forms.ts'
import type { AuthorizationRequestContext, FormSubmissionResult } from '../browser/submission.ts'
import type { IdentityEndpointResponse } from '../oauth.ts'
import type { IdentityEndpointPage } from '../page-texts/page.ts'
import { beginPasskeyUse, methodsOfPasskey, usePasskey } from '../passkeys/passkeys.ts'
import { findRelyingParty } from '../passkeys/relying-party.ts'
import type { UserAuthRow } from '../store.ts'
import { verifySecondFactor } from './verify-second-factor.ts'

const step = 'second-factor'

/** What follows the page: another password is chosen, or nothing. */
type PageAfter = 'new-password' | ''

interface SecondFactorPage {
  readonly next?: PageAfter
  readonly error?: SignInFormError
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The values that the form token is bound to besides the proof: with another password the form is not valid any more. */
const moreParts = (user: UserAuthRow, next: PageAfter): readonly string[] => [next, user.password_hash ?? '']

/** The page that asks a user who entered the password for a code or a passkey. */
export async function showSecondFactorPage(
  context: AuthorizationRequestContext,
  proven: CompleteProof,
  { next = '', error, status = error ? 400 : 200, headers = {} }: SecondFactorPage = {},
): Promise<IdentityEndpointResponse> {
  const { dependencies, request, authorization, session_id } = context
  const { has_totp, has_passkey, id } = proven.user
  const binding = getOrCreateFormCookie(request)
  const parts = [...proofParts(context, proven), ...moreParts(proven.user, next)]
  const form_token = signFormToken(dependencies, step, binding, parts)
  const hidden = { step, session: session_id ?? '', next, ...proofFields(proven), form_token }
  const { query, redirect_uri } = authorization
  const party = has_passkey ? findRelyingParty(request.baseUrl) : null
  const ceremony = party && (await beginPasskeyUse(dependencies, party, id))
  const page: IdentityEndpointPage = {
    title: 'Second factor',
    paragraphs: [
      has_totp
        ? 'Enter the code that your authenticator app shows, or a recovery code.'
        : 'Use your passkey, or enter a recovery code.',
    ],
    form: {
      query,
      hidden,
      fields: [otpField(has_totp ? 'Code' : 'Recovery code')],
      button: 'Continue',
      error: error ?? null,
      redirect_uri,
    },
    ...(ceremony
      ? {
          passkey: {
            ceremony: 'get',
            options: ceremony.options,
            query,
            hidden,
            button: 'Use a passkey',
            redirect_uri,
          },
        }
      : {}),
  }
  return createPageResponse(page, { status, headers: { ...binding.headers, ...headers } })
}

/** Checks the code or the passkey. */
export async function submitSecondFactor(context: AuthorizationRequestContext): Promise<FormSubmissionResult> {
  const { form } = context.request
  const next: PageAfter = form.get('next') === 'new-password' ? 'new-password' : ''
  const proven = await readProof(context, step, (user) => moreParts(user, next))
  if (!proven) return { signInAgain: { email: '', status: 400, error: expiredSignInFormError } }
  try {
    const methods = await verify(context, proven)
    if (!methods) return { response: await showSecondFactorPage(context, proven, { next, error: wrongFactor }) }
    const complete = withMethods(proven, methods)
    return next === 'new-password' ? { response: showNewPasswordPage(context, complete) } : complete
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'rate-limited') throw error
    const refusal = refuseAttempts(Number(error.extra['retry_after_s'] ?? 1))
    return { response: await showSecondFactorPage(context, proven, { next, ...refusal }) }
  }
}

const wrongFactor: SignInFormError = { text: 'That is wrong, or was used before. Try the next code.', field: 'otp' }

/** The methods that were proven; null for none. */
async function verify(
  { dependencies, request }: AuthorizationRequestContext,
  { user }: CompleteProof,
): Promise<readonly string[] | null> {
  const credential = readPostedCredential(request.form)
  if (!credential) {
    const presented = { code: request.form.get('otp') ?? '', address: request.address }
    return (await verifySecondFactor(dependencies, user, presented)) ? ['otp', 'mfa'] : null
  }
  const party = findRelyingParty(request.baseUrl)
  const passkey = party && (await usePasskey(dependencies, party, { credential, user: user.id }))
  return passkey && methodsOfPasskey(passkey)
}
