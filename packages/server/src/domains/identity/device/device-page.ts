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
import { findClient } from '../clients/find-client.ts'
import { isOAuthClientId, type OAuthProgram } from '../clients/oauth-client.ts'
import { describeProgram, describeScopes, organizationFields, readOrganization } from '../consents/consent-words.ts'
import { listEligibleOrganizations, recordConsent, type EligibleOrganization } from '../consents/consents.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointRequest, IdentityEndpointResponse } from '../oauth.ts'
import type { IdentityEndpointPage } from '../page-texts/page.ts'
import { fill, type PageText } from '../page-texts/page-text.ts'
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
  if (!found || user_code === null) return askForCode(context, typed, wrongCode)
  const question = await askWhat(context, found)
  return question ? askForDecision(context, user_code, question) : respondNotForUser()
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
  const page: IdentityEndpointPage = {
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

/** What a device asks a user for. */
interface DeviceQuestion {
  readonly code: FoundCode
  /** The program of others that asks; null for one of the platform. */
  readonly program: OAuthProgram | null
  readonly organizations: readonly EligibleOrganization[]
}

/** Null for a program that does not exist any more, or that the user may not use. */
async function askWhat(
  { dependencies, request, session }: DeviceContext,
  code: FoundCode,
): Promise<DeviceQuestion | null> {
  const isOfOthers = isOAuthClientId(code.client_id)
  const program = isOfOthers ? await findClient(dependencies, code.client_id, request.address) : null
  if (isOfOthers && !program) return null
  const organizations = await listEligibleOrganizations(dependencies, session, { program, named: null })
  return program && organizations.length === 0 ? null : { code, program, organizations }
}

const respondNotForUser = (): IdentityEndpointResponse =>
  respondMessagePage(
    'This program is not for you',
    'It is for members of another organization, or does not exist any more.',
    {
      status: 403,
    },
  )

const describeRights = (email: string, scopes: readonly string[] | null): PageText =>
  scopes === null
    ? fill(allRights, { email })
    : fill('The device then works as {email}, with these rights: `{scopes}`, until it signs out.', {
        email,
        scopes: scopes.join(' '),
      })

const allRights = 'The device then works as {email}, with all your rights but those of operators, until it signs out.'

/** The values that bind the form to the code and to the session of the user who decides. */
const signedParts = (user_code: string, { id }: BrowserSession): readonly string[] => [user_code, id]

async function askForDecision(
  { dependencies, request, session }: DeviceContext,
  user_code: string,
  { code: { address, created_at, scopes }, program, organizations }: DeviceQuestion,
  error: SignInFormError | null = null,
): Promise<IdentityEndpointResponse> {
  const { email } = session.user
  const binding = getOrCreateFormCookie(request)
  const page: IdentityEndpointPage = {
    title: program ? fill('Allow {program} on this device?', { program: program.name }) : 'Sign in this device?',
    paragraphs: [
      fill('The code is `{code}`. It was asked for from `{address}` at {time} UTC.', {
        code: user_code,
        address,
        time: created_at.toISOString().slice(11, 16),
      }),
      ...(program ? [await describeProgram(dependencies.unscoped, program)] : [describeRights(email, scopes)]),
      'Deny it if you have not asked for this code yourself, whoever sent it to you.',
      ...(program ? [fill('It then works as {email}. Within your role, it can:', { email })] : []),
    ],
    items: program ? describeScopes(scopes ?? []) : [],
    form: {
      query: '',
      hidden: { user_code, form_token: signFormToken(dependencies, step, binding, signedParts(user_code, session)) },
      fields: organizationFields(organizations),
      button: { name: 'decision', value: 'allow', label: 'Allow' },
      otherButton: { name: 'decision', value: 'deny', label: 'Deny' },
      error,
      redirect_uri: null,
    },
  }
  return createPageResponse(page, { status: error ? 400 : 200, headers: binding.headers })
}

const noOrganization: SignInFormError = { text: 'Choose one of your organizations.', field: 'organization' }

async function rememberConsent(
  dependencies: IdentityDependencies,
  user: string,
  { code, program }: DeviceQuestion,
  organization: EligibleOrganization | null,
): Promise<void> {
  if (!program || !organization) return
  await recordConsent(dependencies, user, { program, organization: organization.id, scopes: code.scopes ?? [] })
}

async function submitDecision(context: DeviceContext): Promise<IdentityEndpointResponse> {
  const { dependencies, request, session } = context
  const { unscoped, clock } = dependencies
  const user_code = readUserCode(request.form.get('user_code') ?? '')
  const chosen = request.form.get('decision') ?? ''
  const decision = Object.hasOwn(decisions, chosen) ? decisions[chosen] : undefined
  if (user_code === null || decision === undefined) return askForCode(context, '', wrongCode)
  const isSigned = isValidFormToken(dependencies, { step }, request, signedParts(user_code, session))
  const found = await findCode(context, user_code)
  if (!found) return askForCode(context, '', wrongCode)
  const question = await askWhat(context, found)
  if (!question) return respondNotForUser()
  if (!isSigned) return askForDecision(context, user_code, question, expiredSignInFormError)
  const organization = readOrganization(request.form, question.organizations)
  if (!organization && question.organizations.length > 0)
    return askForDecision(context, user_code, question, noOrganization)
  const decided_at = clock.now()
  const isDecided = await markDeviceCodeDecided(unscoped, hashSecretSha256(user_code), {
    decision,
    user_id: session.user_id,
    organization_id: organization?.id ?? null,
    browser_session_id: session.id,
    decided_at,
  })
  if (!isDecided) return askForCode(context, '', wrongCode)
  if (decision === 'ALLOWED') await rememberConsent(dependencies, session.user_id, question, organization)
  return decision === 'ALLOWED'
    ? respondMessagePage(
        'The device is signed in',
        'Go back to it: it continues in a few seconds. You can close this page.',
      )
    : respondMessagePage('The device was denied', 'It does not get access. You can close this page.')
}
