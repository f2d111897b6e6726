import { updateOwnPassword } from '../../users/store.ts'
import { recordAccountAct } from '../account/audit.ts'
import { finishPasswordChange } from '../account/finish-password-change.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointResponse } from '../oauth.ts'
import type { IdentityEndpointPage } from '../page-texts/page.ts'
import type { UserAuthRow } from '../store.ts'
import { getOrCreateFormCookie, isValidFormToken, signFormToken } from './form-tokens.ts'
import { attemptPasswordSignIn } from './password-attempt.ts'
import {
  createPageResponse,
  expiredSignInFormError,
  findNewPasswordError,
  newPasswordFormFields,
  type SignInFormError,
} from './pages.ts'
import { proofFields, proofParts, readProof, type CompleteProof } from './proof-forms.ts'
import type { AuthorizationRequestContext, FormSubmissionResult } from './submission.ts'

/** The values of the form with the hash of the password that was entered, so that it is replaced only once. */
const replacementParts = (context: AuthorizationRequestContext, proven: CompleteProof): readonly string[] => [
  ...proofParts(context, proven),
  proven.user.password_hash ?? '',
]

const step = 'new-password'

const temporaryText =
  'The password that you entered was made for you, and others may have seen it. Choose one that only you know.'
const changeText = 'All other sessions of yours end when the new password is saved. API keys go on working.'

/** The page that asks a user who entered a password for another one. */
export function showNewPasswordPage(
  context: AuthorizationRequestContext,
  proven: CompleteProof,
  error: SignInFormError | null = null,
): IdentityEndpointResponse {
  const { user } = proven
  const { dependencies, request, authorization, session_id } = context
  const binding = getOrCreateFormCookie(request)
  const form_token = signFormToken(dependencies, step, binding, proofParts(context, proven))
  const replacement_token = signFormToken(dependencies, step, binding, replacementParts(context, proven))
  const page: IdentityEndpointPage = {
    title: 'Choose a new password',
    paragraphs: [user.password_temporary ? temporaryText : changeText],
    form: {
      query: authorization.query,
      hidden: { step, session: session_id ?? '', ...proofFields(proven), form_token, replacement_token },
      fields: newPasswordFormFields(user.email),
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
  const proven = await readProof(context, step)
  if (!proven) return { signInAgain: { email: '', status: 400, error: expiredSignInFormError } }
  const { user, proof } = proven
  const password = request.form.get('new_password') ?? ''
  const replacement = { step, field: 'replacement_token' } as const
  const isReplaced = !isValidFormToken(dependencies, replacement, request, replacementParts(context, proven))
  if (isReplaced) return signInWithReplacement(context, proven, password)
  const error = await findChoiceError(context, user, password)
  if (error) return { response: showNewPasswordPage(context, proven, error) }
  const after = await dependencies.passwords.hash(password, request.address)
  const isChanged = await replacePassword(dependencies, user, { after, address: request.address })
  if (!isChanged) return signInWithReplacement(context, proven, password)
  return { user: { ...user, password_hash: after, password_temporary: false }, proof }
}

const alreadyReplaced: SignInFormError = {
  text: 'Your password has been changed already. Sign in with the new one.',
  field: 'password',
}

/** The form was submitted twice: a double click leads on with the password that it chose, anything else to the first page. */
async function signInWithReplacement(
  { dependencies, request: { address } }: AuthorizationRequestContext,
  { user: { email }, proof }: CompleteProof,
  password: string,
): Promise<FormSubmissionResult> {
  const attempt = await attemptPasswordSignIn(dependencies, { username: email, password, address })
  if ('refusal' in attempt) return { signInAgain: { email, ...attempt.refusal } }
  const { user } = attempt
  return user && !user.password_temporary
    ? { user, proof }
    : { signInAgain: { email, status: 400, error: alreadyReplaced } }
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
  { unscoped, clock, queue }: IdentityDependencies,
  user: UserAuthRow,
  { after, address }: { readonly after: string; readonly address: string },
): Promise<boolean> =>
  unscoped.transaction(async (tx) => {
    const now = clock.now()
    const change = { before: user.password_hash ?? '', after }
    if (!(await updateOwnPassword(tx, user.id, change, now))) return false
    await finishPasswordChange(tx, queue, { user, kept_sessions: [], at: now })
    await recordAccountAct(tx, { user: user.id, operation: 'users.password.change', address, at: now })
    return true
  })
