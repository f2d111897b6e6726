import { limits } from '@swath/contract/limits.ts'
import type { Call } from '../../../engine/call.ts'
import { createUser } from '../../users/users.ts'
import { startBrowserSession } from '../browser/browser-sessions.ts'
import { emailField, findNewPasswordError, newPasswordFields, type SignInFormError } from '../browser/pages.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointRequest } from '../oauth.ts'
import type { IdentityFormField } from '../page-texts/page.ts'
import { toUserPrincipal } from '../principals.ts'
import { findUserAuth } from '../store.ts'
import { acceptInvitation, type OpenInvitation } from './accept-invitation.ts'

/** What the form shows again; a password never. */
export interface NewAccountInput {
  readonly name?: string
}

/** The fields of the account of somebody who is invited. */
export const newAccountFields = (email: string, name: string): readonly IdentityFormField[] => [
  emailField(email, true),
  { name: 'name', label: 'Name', type: 'name', autocomplete: 'name', value: name },
  ...newPasswordFields('Password', 'Password, again'),
]

interface NewAccountRequest extends Pick<OpenInvitation, 'invitation'> {
  readonly dependencies: IdentityDependencies
  readonly request: IdentityEndpointRequest
  readonly token: string
}

type NewAccountOutcome =
  | { readonly headers: Readonly<Record<string, string>> }
  | (NewAccountInput & { readonly error: SignInFormError })

const addressTaken: SignInFormError = { text: 'The address has an account by now. Sign in to accept.', field: null }

/** Creates the account of somebody who is invited, who joins with it, in one transaction, and signs the browser in. */
export async function submitNewAccount(
  { dependencies, request, token, invitation }: NewAccountRequest,
  actor: Pick<Call, 'clocks' | 'operation' | 'requestId' | 'queue'>,
): Promise<NewAccountOutcome> {
  const { unscoped, clock, passwords } = dependencies
  const name = (request.form.get('name') ?? '').trim().slice(0, limits.max_name_length)
  const password = request.form.get('new_password') ?? ''
  const { email } = invitation
  const error = findFormError(request, { name, email })
  if (error) return { name, error }
  const password_hash = await passwords.hash(password, request.address)
  const input = { email, name, password_hash, password_temporary: false, organization: null }
  const user = await unscoped.transaction(async (tx) => {
    const created = await createUser(tx, input, clock.now())
    const row = created && (await findUserAuth(tx, created.id))
    const principal = row && toUserPrincipal(row)
    if (!principal) return null
    await acceptInvitation(tx, { principal, ...actor }, { token, email, address: request.address })
    return findUserAuth(tx, row.id)
  })
  if (!user) return { name, error: addressTaken }
  const { cookie } = await startBrowserSession(dependencies, { ...request, session_id: null }, user)
  return { headers: { 'set-cookie': cookie } }
}

function findFormError(
  { form }: IdentityEndpointRequest,
  { name, email }: { readonly name: string; readonly email: string },
): SignInFormError | null {
  // oxlint-disable-next-line no-control-regex -- PostgreSQL rejects a NUL, and nobody's name has the others
  if (name === '' || /[\0-\x1f\x7f]/.test(name)) return { text: 'Enter your name.', field: 'name' }
  return findNewPasswordError(form, email)
}
