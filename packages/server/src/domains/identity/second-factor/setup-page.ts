import { Problem } from '../../../engine/problem.ts'
import { recordAccountAct } from '../account/audit.ts'
import { getOrCreateFormCookie, signFormToken } from '../browser/form-tokens.ts'
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
import { fill, sentence } from '../page-texts/page-text.ts'
import { beginPasskeyRegistration, finishPasskeyRegistration, methodsOfPasskey } from '../passkeys/passkeys.ts'
import { findRelyingParty, requireRelyingParty } from '../passkeys/relying-party.ts'
import type { UserAuthRow } from '../store.ts'
import { beginTotpSetup, confirmTotp, findPendingTotpSetup } from './manage-totp.ts'
import { hasSecondFactor } from './methods.ts'
import { showSecondFactorPage } from './second-factor-page.ts'

const step = 'second-factor-setup'

const moreParts = (user: UserAuthRow): readonly string[] => [user.password_hash ?? '']

interface SetupPage {
  readonly error?: SignInFormError
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The page on which a member of an organization that requires a second factor sets one up. */
export async function showSecondFactorSetupPage(
  context: AuthorizationRequestContext,
  proven: CompleteProof,
  { error, status = error ? 400 : 200, headers = {} }: SetupPage = {},
): Promise<IdentityEndpointResponse> {
  const { dependencies, request, authorization, session_id } = context
  const { user } = proven
  const binding = getOrCreateFormCookie(request)
  const form_token = signFormToken(dependencies, step, binding, [...proofParts(context, proven), ...moreParts(user)])
  const hidden = { step, session: session_id ?? '', ...proofFields(proven), form_token }
  const { query, redirect_uri } = authorization
  // The code on the page stays the same while it is shown again.
  const setup = (await findPendingTotpSetup(dependencies, user)) ?? (await beginTotpSetup(dependencies, user))
  const party = findRelyingParty(request.baseUrl)
  const ceremony = party && (await beginPasskeyRegistration(dependencies, party, user))
  const page: IdentityEndpointPage = {
    title: 'Set up a second factor',
    paragraphs: [
      'Your organization requires one. Scan this with an authenticator app, and enter the code that it shows.',
      fill('Without a camera, enter this in the app: `{secret}`', { secret: setup.secret }),
    ],
    svg: setup.qr_svg,
    form: { query, hidden, fields: [otpField('Code')], button: 'Continue', error: error ?? null, redirect_uri },
    ...(ceremony
      ? {
          passkey: {
            ceremony: 'create',
            options: ceremony.options,
            query,
            hidden,
            button: 'Set up a passkey instead',
            redirect_uri,
          },
        }
      : {}),
  }
  return createPageResponse(page, { status, headers: { ...binding.headers, ...headers } })
}

/** Turns the second factor on, and signs in with it. */
export async function submitSecondFactorSetup(context: AuthorizationRequestContext): Promise<FormSubmissionResult> {
  const proven = await readProof(context, step, moreParts)
  if (!proven) return { signInAgain: { email: '', status: 400, error: expiredSignInFormError } }
  // Who has one, perhaps since the page was shown, has to enter that one.
  if (hasSecondFactor(proven.user)) return { response: await showSecondFactorPage(context, proven) }
  try {
    const { methods, recovery_codes } = await setUp(context, proven)
    return { ...withMethods(proven, methods), recovery_codes }
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 500) throw error
    const refusal =
      error.problem === 'rate-limited'
        ? refuseAttempts(Number(error.extra['retry_after_s'] ?? 1))
        : { error: { text: sentence(error.message), field: null } }
    return { response: await showSecondFactorSetupPage(context, proven, refusal) }
  }
}

async function setUp({ dependencies, request }: AuthorizationRequestContext, { user }: CompleteProof) {
  const { address } = request
  const at = dependencies.clock.now()
  const credential = readPostedCredential(request.form)
  if (!credential) {
    const recovery_codes = await confirmTotp(dependencies, user, {
      code: request.form.get('otp') ?? '',
      address,
      also: (tx) => recordAccountAct(tx, { user: user.id, operation: 'users.totp.confirm', address, at }),
    })
    return { methods: ['otp', 'mfa'], recovery_codes }
  }
  const { passkey, recovery_codes } = await finishPasskeyRegistration(
    dependencies,
    requireRelyingParty(request.baseUrl),
    user,
    {
      credential,
      name: 'Passkey',
      also: (tx) => recordAccountAct(tx, { user: user.id, operation: 'users.passkeys.register_finish', address, at }),
    },
  )
  return { methods: methodsOfPasskey(passkey), recovery_codes }
}
