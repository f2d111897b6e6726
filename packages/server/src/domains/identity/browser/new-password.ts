import { limits } from '@swath/contract/limits.ts'
import { isUuid } from '../../../platform/ids.ts'
import { findPasswordError } from '../../users/password-rules.ts'
import { changeOwnPassword } from '../../users/users.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { EndpointResponse } from '../oauth.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import { toUserPrincipal } from '../principals.ts'
import { findUserAuth, type UserAuthRow } from '../store.ts'
import { markUserSessionsRevoked } from '../store.sessions.ts'
import { bindForms, isFormToken, signForm } from './form-tokens.ts'
import { expiredFormError, newPasswordFields, respondMessage, respondPage, type FormError } from './pages.ts'
import type { AuthorizationContext, SubmissionResult } from './submission.ts'

/**
 * What the form is signed for: the user who entered the one-time password, as long as it is the password. So the page cannot be
 * used a second time.
 */
const signedParts = ({ authorization }: AuthorizationContext, user: UserAuthRow): readonly string[] => [
  authorization.query,
  user.id,
  user.password_hash ?? '',
]

/** The page that asks a user who entered a one-time password for one of their own. */
export function showNewPasswordPage(
  context: AuthorizationContext,
  user: UserAuthRow,
  error: FormError | null = null,
): EndpointResponse {
  const { dependencies, request, authorization } = context
  const binding = bindForms(request)
  const form_token = signForm(dependencies, 'new-password', binding, signedParts(context, user))
  const page = {
    title: 'Choose a new password',
    paragraphs: [
      'The password that you entered was set by somebody else and works once. Choose one that only you know.',
    ],
    form: {
      query: authorization.query,
      hidden: { step: 'new-password', user: user.id, form_token },
      fields: newPasswordFields(user.email, `At least ${limits.min_password_length} characters.`),
      button: 'Save and continue',
      error,
      redirect_uri: authorization.redirect_uri,
    },
  }
  return respondPage(page, { status: error ? 400 : 200, headers: binding.headers })
}

/** Replaces a one-time password by the one that the user chose. */
export async function submitNewPassword(context: AuthorizationContext): Promise<SubmissionResult> {
  const { dependencies, request } = context
  const user = await findPasswordOwner(dependencies, request.form.get('user') ?? '')
  if (!user || !isFormToken(dependencies, 'new-password', request, signedParts(context, user))) {
    return { response: respondMessage('Sign in again', expiredFormError.text, { status: 400 }) }
  }
  const password = request.form.get('new_password') ?? ''
  const error = await findChoiceError(context, user, password)
  if (error) return { response: showNewPasswordPage(context, user, error) }
  const after = await dependencies.passwords.hash(password, request.address)
  const isChanged = await replacePassword(dependencies, user, after)
  if (!isChanged) return { response: respondMessage('Sign in again', 'Your password was changed.', { status: 400 }) }
  return { user: { ...user, password_hash: after, password_temporary: false } }
}

/** The user of the form, who still has a one-time password and can sign in; null for anybody else. */
async function findPasswordOwner({ unscoped }: IdentityDependencies, id: string): Promise<UserAuthRow | null> {
  const user = isUuid(id) ? await findUserAuth(unscoped, id) : null
  return user?.password_temporary && toUserPrincipal(user) ? user : null
}

async function findChoiceError(
  { dependencies, request }: AuthorizationContext,
  user: UserAuthRow,
  password: string,
): Promise<FormError | null> {
  const violation = findPasswordError({ password, email: user.email })
  if (violation !== null) return { text: violation, field: 'new_password' }
  if (password !== (request.form.get('new_password_again') ?? ''))
    return { text: 'The two passwords are not equal.', field: 'new_password_again' }
  if (await dependencies.passwords.verify(password, user.password_hash, request.address))
    return { text: 'Choose another password than the one that you were given.', field: 'new_password' }
  return null
}

/** Ends every session that was opened with the one-time password. False if it was replaced meanwhile. */
const replacePassword = (
  { unscoped, clock }: IdentityDependencies,
  user: UserAuthRow,
  after: string,
): Promise<boolean> =>
  unscoped.transaction(async (tx) => {
    const now = clock.now()
    const change = { before: user.password_hash ?? '', after }
    if (!(await changeOwnPassword(tx, user.id, change, now))) return false
    await markUserSessionsRevoked(tx, user.id, 'password-changed', now)
    await publishPrincipalChange(tx, `user:${user.id}`)
    return true
  })
