import { limits } from '@swath/contract/limits.ts'
import { hour_ms } from '@swath/geo/time-units.ts'
import { Problem } from '../../../engine/problem.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { updateAccountPassword } from '../../users/store.accounts.ts'
import { toEmailKey } from '../../users/users.ts'
import { getOrCreateFormCookie, isValidFormToken, signFormToken } from '../browser/form-tokens.ts'
import {
  createPageResponse,
  emailField,
  expiredSignInFormError,
  findNewPasswordError,
  newPasswordFormFields,
  type SignInFormError,
} from '../browser/pages.ts'
import { refuseAttempts } from '../browser/password-attempt.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { lockUser } from '../memberships/store.memberships.ts'
import type { IdentityEndpointRequest, IdentityEndpointResponse } from '../oauth.ts'
import type { IdentityEndpointPage } from '../page-texts/page.ts'
import { fill } from '../page-texts/page-text.ts'
import { toUserPrincipal } from '../principals.ts'
import { findUserAuth, type UserAuthRow } from '../store.ts'
import { enqueueAccountMail } from './account-mails.ts'
import { recordAccountAct } from './audit.ts'
import { finishPasswordChange } from './finish-password-change.ts'
import { findAccountMailByToken, lockAccountMailByToken, type AccountMailRow } from './store.account-mails.ts'

const step = 'reset-password'

/** The page where somebody who forgot the password asks for a link, and chooses another password with it. */
export const showResetPasswordPage = (
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> => {
  const token = request.query.get('token')
  return token ? showChoice(dependencies, request, token) : showRequest(dependencies, request)
}

interface RequestPage {
  readonly email?: string
  readonly error?: SignInFormError
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

async function showRequest(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  if (request.method !== 'POST') return askForEmail(dependencies, request)
  const email = (request.form.get('email') ?? '').trim()
  if (!isValidFormToken(dependencies, { step }, request, []))
    return askForEmail(dependencies, request, { email, error: expiredSignInFormError })
  if (!isEmail(email))
    return askForEmail(dependencies, request, { error: { text: 'Enter your e-mail address.', field: 'email' } })
  try {
    await requestLink(dependencies, { email, address: request.address })
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'rate-limited') throw error
    return askForEmail(dependencies, request, { email, ...refuseAttempts(Number(error.extra['retry_after_s'] ?? 1)) })
  }
  return createPageResponse({
    title: 'Look into your e-mails',
    paragraphs: [fill(linkSent, { count: String(limits.password_reset_seconds / 60) })],
    form: null,
    links: [{ label: 'Sign in', url: `${request.baseUrl}/` }],
  })
}

const linkSent =
  'If the address has an account, an e-mail with a link is on its way. The link is valid for {count} minutes.'

// oxlint-disable-next-line no-control-regex -- PostgreSQL rejects a NUL, and no address has the others
const isEmail = (text: string): boolean => text.length <= 320 && /^[^@\s\0-\x1f]+@[^@\s\0-\x1f]+$/.test(text)

function askForEmail(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
  { email = '', error, status = error ? 400 : 200, headers = {} }: RequestPage = {},
): IdentityEndpointResponse {
  const binding = getOrCreateFormCookie(request)
  const page: IdentityEndpointPage = {
    title: 'Forgot your password?',
    paragraphs: ['Enter the e-mail address of your account to get a link with which you choose another password.'],
    form: {
      query: '',
      hidden: { form_token: signFormToken(dependencies, step, binding, []) },
      fields: [emailField(email.slice(0, 320), false)],
      button: 'Send a link',
      error: error ?? null,
      redirect_uri: null,
    },
  }
  return createPageResponse(page, { status, headers: { ...binding.headers, ...headers } })
}

const requestLimits = {
  address: { failures: 20, window_ms: hour_ms },
  account: { failures: 3, window_ms: hour_ms },
} as const

/**
 * Lets a task send a link, if the address has an account: whoever asks learns nothing of that, also not from the time that it takes. An
 * address gets a few links an hour; further requests are answered alike. Throws `rate-limited` for an IP address that asks too often.
 */
async function requestLink(
  { unscoped, clock, queue, throttle }: IdentityDependencies,
  { email, address }: { readonly email: string; readonly address: string },
): Promise<void> {
  const count = async () => ({ failed: true, value: null })
  await throttle.attempt(
    [{ name: 'password-links-of-address', subject: address, allowance: requestLimits.address }],
    count,
  )
  const account = { name: 'password-links-of-account', subject: toEmailKey(email), allowance: requestLimits.account }
  const isCounted = await throttle.attempt([account], count).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Problem && error.problem === 'rate-limited') return false
      throw error
    },
  )
  if (!isCounted) return
  const at = clock.now()
  await unscoped.transaction((tx) => enqueueAccountMail(tx, queue, { kind: 'password-reset', user: null, email, at }))
}

/** True for the e-mail of a link that can still be used. */
const isOpen = (mail: AccountMailRow | null, now: Date): mail is AccountMailRow & { readonly user_id: string } =>
  mail !== null &&
  mail.kind === 'password-reset' &&
  mail.user_id !== null &&
  mail.used_at === null &&
  mail.expires_at > now

async function showChoice(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
  token: string,
): Promise<IdentityEndpointResponse> {
  const { unscoped, clock } = dependencies
  const mail = await findAccountMailByToken(unscoped, hashSecretSha256(token))
  const user = isOpen(mail, clock.now()) ? await findUserAuth(unscoped, mail.user_id) : null
  if (!user || !toUserPrincipal(user)) return respondInvalidLink(request)
  if (request.method !== 'POST') return askForPassword(dependencies, request, { token, user })
  const isValid = isValidFormToken(dependencies, { step }, request, [token])
  const error = isValid ? findNewPasswordError(request.form, user.email) : expiredSignInFormError
  if (error) return askForPassword(dependencies, request, { token, user, error })
  const password_hash = await dependencies.passwords.hash(request.form.get('new_password') ?? '', request.address)
  const isReplaced = await replaceForgottenPassword(dependencies, request, { token, user, password_hash })
  return isReplaced ? respondReplaced(request) : respondInvalidLink(request)
}

const respondInvalidLink = ({ baseUrl }: IdentityEndpointRequest): IdentityEndpointResponse =>
  createPageResponse(
    {
      title: 'This link is not valid',
      paragraphs: ['It was used before, or has expired, or there is a newer one.'],
      form: null,
      links: [{ label: 'Ask for another link', url: `${baseUrl}/realms/public/login-actions/reset-password` }],
    },
    { status: 404 },
  )

const respondReplaced = ({ baseUrl }: IdentityEndpointRequest): IdentityEndpointResponse =>
  createPageResponse({
    title: 'Your password was changed',
    paragraphs: ['All your sessions have ended. Sign in with the new password.'],
    form: null,
    link: { text: 'Sign in', url: `${baseUrl}/` },
  })

interface ChoicePage {
  readonly token: string
  readonly user: UserAuthRow
  readonly error?: SignInFormError
}

function askForPassword(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
  { token, user, error }: ChoicePage,
): IdentityEndpointResponse {
  const binding = getOrCreateFormCookie(request)
  const page: IdentityEndpointPage = {
    title: 'Choose a new password',
    paragraphs: ['All your sessions end when the new password is saved. API keys go on working.'],
    form: {
      query: new URLSearchParams({ token }).toString(),
      hidden: { form_token: signFormToken(dependencies, step, binding, [token]) },
      fields: newPasswordFormFields(user.email),
      button: 'Save',
      error: error ?? null,
      redirect_uri: null,
    },
  }
  return createPageResponse(page, { status: error ? 400 : 200, headers: binding.headers })
}

/** Uses the link, once. False if it was used meanwhile. */
const replaceForgottenPassword = (
  { unscoped, clock, queue }: IdentityDependencies,
  { address }: IdentityEndpointRequest,
  { token, user, password_hash }: ChoicePage & { readonly password_hash: string },
): Promise<boolean> =>
  unscoped.transaction(async (tx) => {
    const at = clock.now()
    // Before the link, in the order of all changes of an account.
    await lockUser(tx, user.id)
    if (!isOpen(await lockAccountMailByToken(tx, hashSecretSha256(token)), at)) return false
    await updateAccountPassword(tx, user.id, password_hash, at)
    await finishPasswordChange(tx, queue, { user: { ...user, password_temporary: false }, kept_sessions: [], at })
    await recordAccountAct(tx, { user: user.id, operation: 'users.password.reset', address, at })
    return true
  })
