import { limits } from '@swath/contract/limits.ts'
import { isUuid } from '../../../platform/ids.ts'
import { updateOwnPassword } from '../../users/store.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointResponse } from '../oauth.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import { toUserPrincipal } from '../principals.ts'
import { findUserAuth, type UserAuthRow } from '../store.ts'
import { markUserSessionsRevoked } from '../store.sessions.ts'
import { getOrCreateFormCookie, isValidFormToken, signFormToken } from './form-tokens.ts'
import { attemptPasswordSignIn } from './password-attempt.ts'
import {
  createPageResponse,
  expiredSignInFormError,
  findNewPasswordError,
  newPasswordFormFields,
  type SignInFormError,
} from './pages.ts'
import type { AuthorizationRequestContext, FormSubmissionResult } from './submission.ts'

/** The values that bind the form to the user who entered the password. */
const signedParts = (
  { authorization, session_id }: AuthorizationRequestContext,
  user: UserAuthRow,
): readonly string[] => [authorization.query, session_id ?? '', user.id]

/** The same with the hash of that password, so that it is replaced only once. */
const replacementParts = (context: AuthorizationRequestContext, user: UserAuthRow): readonly string[] => [
  ...signedParts(context, user),
  user.password_hash ?? '',
]

const step = 'new-password'

const temporaryText =
  'The password that you entered was made for you, and others may have seen it. Choose one that only you know.'
const changeText = 'All other sessions of yours end when the new password is saved. API keys go on working.'

/** The page that asks a user who entered a password for another one. */
export function showNewPasswordPage(
  context: AuthorizationRequestContext,
  user: UserAuthRow,
  error: SignInFormError | null = null,
): IdentityEndpointResponse {
  const { dependencies, request, authorization, session_id } = context
  const binding = getOrCreateFormCookie(request)
  const form_token = signFormToken(dependencies, step, binding, signedParts(context, user))
  const replacement_token = signFormToken(dependencies, step, binding, replacementParts(context, user))
  const page = {
    title: 'Choose a new password',
    paragraphs: [user.password_temporary ? temporaryText : changeText],
    form: {
      query: authorization.query,
      hidden: { step, session: session_id ?? '', user: user.id, form_token, replacement_token },
      fields: newPasswordFormFields(user.email, `At least ${limits.min_password_length} characters.`),
      button: 'Save and continue',
      error,
      redirect_uri: authorization.redirect_uri,
    },
  }
  return createPageResponse(page, { status: error ? 400 : 200, headers: binding.headers })
}

/** Replaces the password that the user entered by the one that the user chose. */
export async function submitNewPassword(context: AuthorizationRequestContext): Promise<FormSubmissionResult> {
  const { dependencies, request } = context
  const user = await findFormUser(dependencies, request.form.get('user') ?? '')
  if (!user || !isValidFormToken(dependencies, { step }, request, signedParts(context, user)))
    return { signInAgain: { email: '', status: 400, error: expiredSignInFormError } }
  const password = request.form.get('new_password') ?? ''
  const replacement = { step, field: 'replacement_token' } as const
  const isReplaced = !isValidFormToken(dependencies, replacement, request, replacementParts(context, user))
  if (isReplaced) return signInWithReplacement(context, user, password)
  const error = await findChoiceError(context, user, password)
  if (error) return { response: showNewPasswordPage(context, user, error) }
  const after = await dependencies.passwords.hash(password, request.address)
  const isChanged = await replacePassword(dependencies, user, after)
  if (!isChanged) return signInWithReplacement(context, user, password)
  return { user: { ...user, password_hash: after, password_temporary: false } }
}

/** The user of the form, who can sign in; null for any other user. */
async function findFormUser({ unscoped }: IdentityDependencies, id: string): Promise<UserAuthRow | null> {
  const user = isUuid(id) ? await findUserAuth(unscoped, id) : null
  return user && toUserPrincipal(user) ? user : null
}

const alreadyReplaced: SignInFormError = {
  text: 'Your password has been changed already. Sign in with the new one.',
  field: 'password',
}

/** The form was submitted twice: a double click leads on with the password that it chose, anything else to the first page. */
async function signInWithReplacement(
  { dependencies, request: { address } }: AuthorizationRequestContext,
  { email }: UserAuthRow,
  password: string,
): Promise<FormSubmissionResult> {
  const attempt = await attemptPasswordSignIn(dependencies, { username: email, password, address })
  if ('refusal' in attempt) return { signInAgain: { email, ...attempt.refusal } }
  const { user } = attempt
  return user && !user.password_temporary ? { user } : { signInAgain: { email, status: 400, error: alreadyReplaced } }
}

async function findChoiceError(
  { dependencies, request }: AuthorizationRequestContext,
  user: UserAuthRow,
  password: string,
): Promise<SignInFormError | null> {
  const error = findNewPasswordError(request.form, user.email)
  if (error) return error
  if (await dependencies.passwords.verify(password, user.password_hash, request.address))
    return { text: 'Choose another password than the one that you have.', field: 'new_password' }
  return null
}

/** Ends every session that was opened with the former password. False if it was replaced meanwhile. */
const replacePassword = (
  { unscoped, clock }: IdentityDependencies,
  user: UserAuthRow,
  after: string,
): Promise<boolean> =>
  unscoped.transaction(async (tx) => {
    const now = clock.now()
    const change = { before: user.password_hash ?? '', after }
    if (!(await updateOwnPassword(tx, user.id, change, now))) return false
    await markUserSessionsRevoked(tx, user.id, 'password-changed', now)
    await publishPrincipalChange(tx, `user:${user.id}`)
    return true
  })
