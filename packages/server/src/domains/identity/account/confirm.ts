import { limits } from '@swath/contract/limits.ts'
import type { Call } from '../../../engine/call.ts'
import { assertInvariant, Problem } from '../../../engine/problem.ts'
import { verifyUserPassword } from '../password-sign-in.ts'
import { hasSecondFactor, hasTwoFactors } from '../second-factor/methods.ts'
import { verifySecondFactor, type SecondFactorDependencies } from '../second-factor/verify-second-factor.ts'
import { findUserAuth, type UserAuthRow } from '../store.ts'
import { findTokenSession } from '../token-validity.ts'
import { signInGuardServiceKey } from './sign-in-guard.ts'
import { findSessionSignIn, type SessionSignIn } from './store.user-sessions.ts'

/** The members of a call that a change of the account of its caller needs. */
export type AccountCall = Pick<
  Call,
  'principal' | 'unscoped' | 'clocks' | 'passwords' | 'signer' | 'queue' | 'rateLimitKey' | 'processServices'
>

/** The user of a call. */
export async function readOwnUser(call: Pick<Call, 'principal' | 'unscoped'>): Promise<UserAuthRow> {
  const user = await findUserAuth(call.unscoped, call.principal.id)
  assertInvariant(user, 'the caller is a user')
  return user
}

/** The time of accounts, which belong to no organization. */
export const readAccountTime = ({ clocks }: Pick<Call, 'clocks'>): Date => clocks.process.now()

export const toSecondFactorDependencies = (call: AccountCall): SecondFactorDependencies => ({
  unscoped: call.unscoped,
  clock: call.clocks.process,
  signer: call.signer,
  queue: call.queue,
  throttle: call.processServices.get(signInGuardServiceKey).throttle,
})

/** The session of a call, and the one of its browser: those that go on when all others end. */
export async function listCurrentSessions(call: Pick<Call, 'principal' | 'unscoped'>): Promise<string[]> {
  const { session, signIn } = await findCurrentSignIn(call)
  return [session, signIn?.browser_session_id].filter((id) => typeof id === 'string')
}

/** How the session of a call began; nulls for a token without a session. */
export async function findCurrentSignIn({
  principal,
  unscoped,
}: Pick<Call, 'principal' | 'unscoped'>): Promise<{ session: string | null; signIn: SessionSignIn | null }> {
  const session = findTokenSession(principal)
  return { session, signIn: session === null ? null : await findSessionSignIn(unscoped, session, principal.id) }
}

/** The password of the caller, unless the session began a short while ago; and a code for who has a second factor. */
export interface Confirmation {
  readonly password?: string | null
  readonly otp?: string | null
}

const isFresh = (signIn: SessionSignIn | null, user: UserAuthRow, now: Date): boolean =>
  signIn !== null &&
  signIn.authenticated_at !== null &&
  now.getTime() - signIn.authenticated_at.getTime() <= limits.fresh_sign_in_seconds * 1000 &&
  (!hasSecondFactor(user) || hasTwoFactors(signIn.amr))

/**
 * The caller, who has proven again to be the user of the account: a stolen token is not enough to take the account over. Throws
 * `forbidden`, or `rate-limited` after too many wrong passwords or codes.
 *
 * @param isFreshEnough false for what cannot be undone: a user who has a password sends it then.
 */
export async function requireConfirmation(
  call: AccountCall,
  { password, otp }: Confirmation,
  { isFreshEnough = true }: { readonly isFreshEnough?: boolean } = {},
): Promise<UserAuthRow> {
  const user = await readOwnUser(call)
  const { signIn } = await findCurrentSignIn(call)
  const needsPassword = !isFreshEnough && user.password_hash !== null
  if (!needsPassword && isFresh(signIn, user, call.clocks.process.now())) return user
  if (!password) throw new Problem('forbidden', 'Send your password, or sign in again and repeat the call soon.')
  const verified = await verifyOwnPassword(call, user, password)
  if (!hasSecondFactor(verified)) return verified
  if (!otp) throw new Problem('forbidden', 'Send a code of your authenticator app, or a recovery code, as otp.')
  if (await verifySecondFactor(toSecondFactorDependencies(call), verified, { code: otp, address: call.rateLimitKey }))
    return verified
  throw new Problem('forbidden', 'The code is wrong, or was used before.')
}

/** The caller with this password. Throws `forbidden`, or `rate-limited` after too many wrong ones. */
export async function verifyOwnPassword(
  call: AccountCall,
  { id, email }: UserAuthRow,
  password: string,
): Promise<UserAuthRow> {
  const { unscoped, passwords, rateLimitKey: address } = call
  const dependencies = { unscoped, passwords, ...call.processServices.get(signInGuardServiceKey) }
  const verified = await verifyUserPassword(dependencies, { username: email, password, address })
  if (verified?.id !== id) throw new Problem('forbidden', 'The password is wrong.')
  return verified
}
