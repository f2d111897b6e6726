import { Problem } from '../../../engine/problem.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { getBrowserSession, type BrowserSession } from '../browser/browser-sessions.ts'
import { getOrCreateFormCookie, isValidFormToken, signFormToken } from '../browser/form-tokens.ts'
import {
  deviceCodeFields,
  expiredSignInFormError,
  respondMessagePage,
  createPageResponse,
  type SignInFormError,
} from '../browser/pages.ts'
import { deviceClientId } from '../browser/public-clients.ts'
import { redirectToSignIn } from '../browser/redirect-to-sign-in.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointRequest, IdentityEndpointResponse } from '../oauth.ts'
import { isRuleSatisfied } from '../second-factor/methods.ts'
import { toAddressFailureBucket } from '../unknown-credentials.ts'
import { devicePagePath } from './device-authorization.ts'
import { markDeviceCodeDecided, findPendingDeviceCode, type DeviceCodeDecision } from './store.device-codes.ts'
import { readUserCode } from './user-codes.ts'

/** A request of a browser that is signed in. */
interface DeviceContext {
  readonly dependencies: IdentityDependencies
  readonly request: IdentityEndpointRequest
  readonly session: BrowserSession
}

const step = 'device'
const decisions: Readonly<Record<string, DeviceCodeDecision>> = { allow: 'ALLOWED', deny: 'DENIED' }
const guessBucket = toAddressFailureBucket('user-codes-of-address')

/**
 * The page where a user enters the code of a device and decides (RFC 8628 3.3). Only users who are signed in see anything: others
 * sign in first and come back with their code.
 */
export async function showDevicePage(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  const session = await getBrowserSession(dependencies, request)
  // Who needs a second factor for the tokens of the device enters it on the way.
  if (!session || !isRuleSatisfied(session.user.second_factor_rule, session.amr)) {
    const state = readUserCode(readCode(request)) ?? 'none'
    return redirectToSignIn(request.baseUrl, { client_id: deviceClientId, path: devicePagePath, state })
  }
  const context = { dependencies, request, session }
  try {
    return request.form.has('decision') ? await submitDecision(context) : await showCode(context)
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'rate-limited') throw error
    const headers = { 'retry-after': String(error.extra['retry_after_s'] ?? 1) }
    return respondMessagePage('Too many wrong codes', 'Wait a minute, and open this page again.', {
      status: 429,
      headers,
    })
  }
}

/** The code that the request names: of the device, or of the state that comes back from signing in. */
const readCode = ({ form, query }: IdentityEndpointRequest): string =>
  form.get('user_code') ?? query.get('user_code') ?? query.get('state') ?? ''

async function showCode(context: DeviceContext): Promise<IdentityEndpointResponse> {
  const { request } = context
  const typed = readCode(request)
  if (typed === '' || typed === 'none') return askForCode(context, '', null)
  const user_code = readUserCode(typed)
  const found = user_code === null ? null : await findCode(context, user_code)
  return found && user_code ? askForDecision(context, user_code, found) : askForCode(context, typed, wrongCode)
}

const wrongCode: SignInFormError = {
  text: 'There is no such code, or it has expired. Compare it with the one on your device, or ask for another there.',
  field: 'user_code',
}

type FoundCode = NonNullable<Awaited<ReturnType<typeof findPendingDeviceCode>>>

/** Wrong codes count against the IP address; throws `rate-limited`. */
async function findCode({ dependencies, request }: DeviceContext, user_code: string): Promise<FoundCode | null> {
  const { unscoped, clock, throttle } = dependencies
  return throttle.attempt([guessBucket(dependencies, request.address)], async () => {
    const value = await findPendingDeviceCode(unscoped, hashSecretSha256(user_code), clock.now())
    return { failed: value === null, value }
  })
}

function askForCode(
  { request }: DeviceContext,
  typed: string,
  error: SignInFormError | null,
): IdentityEndpointResponse {
  const page = {
    title: 'Sign in a device',
    paragraphs: ['Enter the code that the program or device shows you.'],
    form: {
      query: '',
      hidden: {},
      fields: deviceCodeFields(typed.slice(0, 20)),
      button: 'Continue',
      error,
      redirect_uri: null,
    },
  }
  return createPageResponse(page, { status: error ? 400 : 200, headers: getOrCreateFormCookie(request).headers })
}

const describeScopes = (scopes: readonly string[] | null): string =>
  scopes === null ? 'with all your rights but those of operators' : `with these rights: \`${scopes.join(' ')}\``

/** The values that bind the form to the code and to the session of the user who decides. */
const signedParts = (user_code: string, { id }: BrowserSession): readonly string[] => [user_code, id]

function askForDecision(
  { dependencies, request, session }: DeviceContext,
  user_code: string,
  { address, created_at, scopes }: FoundCode,
  error: SignInFormError | null = null,
): IdentityEndpointResponse {
  const binding = getOrCreateFormCookie(request)
  const page = {
    title: 'Sign in this device?',
    paragraphs: [
      `The code is \`${user_code}\`. It was asked for from \`${address}\` at ${created_at.toISOString().slice(11, 16)} UTC.`,
      `The device then works as ${session.user.email}, ${describeScopes(scopes)}, until it signs out.`,
      'Deny it if you have not asked for this code yourself, whoever sent it to you.',
    ],
    form: {
      query: '',
      hidden: { user_code, form_token: signFormToken(dependencies, step, binding, signedParts(user_code, session)) },
      fields: [],
      button: { name: 'decision', value: 'allow', label: 'Allow' },
      otherButton: { name: 'decision', value: 'deny', label: 'Deny' },
      error,
      redirect_uri: null,
    },
  }
  return createPageResponse(page, { status: error ? 400 : 200, headers: binding.headers })
}

async function submitDecision(context: DeviceContext): Promise<IdentityEndpointResponse> {
  const { dependencies, request, session } = context
  const { unscoped, clock } = dependencies
  const user_code = readUserCode(request.form.get('user_code') ?? '')
  const chosen = request.form.get('decision') ?? ''
  const decision = Object.hasOwn(decisions, chosen) ? decisions[chosen] : undefined
  if (user_code === null || decision === undefined) return askForCode(context, '', wrongCode)
  if (!isValidFormToken(dependencies, { step }, request, signedParts(user_code, session))) {
    const found = await findCode(context, user_code)
    return found
      ? askForDecision(context, user_code, found, expiredSignInFormError)
      : askForCode(context, '', wrongCode)
  }
  const decided_at = clock.now()
  const isDecided = await markDeviceCodeDecided(unscoped, hashSecretSha256(user_code), {
    decision,
    user_id: session.user_id,
    browser_session_id: session.id,
    decided_at,
  })
  if (!isDecided) return askForCode(context, '', wrongCode)
  return decision === 'ALLOWED'
    ? respondMessagePage(
        'The device is signed in',
        'Go back to it: it continues in a few seconds. You can close this page.',
      )
    : respondMessagePage('The device was denied', 'It does not get access. You can close this page.')
}
