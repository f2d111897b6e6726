import type { Tx } from '../../platform/database/database.ts'
import { toEmailKey } from '../users/users.ts'
import type { IdentityDependencies } from './dependencies.ts'
import { toUserPrincipal } from './principals.ts'
import {
  findUserAuth,
  findUserAuthByEmailKey,
  lockPasswordHash,
  updateUserFirstSignIn,
  updatePasswordHash,
  type UserAuthRow,
} from './store.ts'
import type { FailureBucket, SuccessfulSubject } from './failure-throttle.ts'
import { signInFailureBucket } from './unknown-credentials.ts'

export interface PasswordAttempt {
  /** An email in any letter case. */
  readonly username: string
  readonly password: string
  /** The IP address of the client, which failures are counted by. */
  readonly address: string
}

type PasswordDependencies = Pick<IdentityDependencies, 'unscoped' | 'passwords' | 'throttle' | 'limits'>

/** The same message for every failure: it must not reveal which users exist. */
export const wrongPasswordMessage = 'The username or the password is wrong.'

/**
 * The user with that email and password; null if there is none or the user is disabled. Failures count per account and IP
 * address; throws `rate-limited` with `retry_after_s` when a limit is reached.
 */
export async function verifyUserPassword(
  dependencies: PasswordDependencies,
  { username, password, address }: PasswordAttempt,
): Promise<UserAuthRow | null> {
  const account = toEmailKey(username).slice(0, 400)
  const buckets = [
    { ...signInFailureBucket(dependencies, address), unlessSucceeded: signInRecord(address, account) },
    accountFailureLimit(dependencies, address, account),
  ]
  const user = await dependencies.throttle.attempt(buckets, async () => {
    // No account contains a NUL, and PostgreSQL rejects one in a parameter.
    const candidate = account.includes('\0') ? null : await findUserAuthByEmailKey(dependencies.unscoped, account)
    const isMatch = await dependencies.passwords.verify(password, candidate?.password_hash ?? null, address)
    const value = isMatch && candidate && toUserPrincipal(candidate) ? candidate : null
    return { failed: value === null, value }
  })
  return user && upgradePasswordHash(dependencies, user, password)
}

/**
 * Inserts something for a user whose password was verified, such as a session, unless the password was replaced meanwhile:
 * that ends all sessions, and would miss one that comes later. Null then.
 */
export const withVerifiedPassword = <T>(
  { unscoped }: Pick<IdentityDependencies, 'unscoped'>,
  { id, password_hash }: UserAuthRow,
  insert: (tx: Tx) => Promise<T>,
): Promise<T | null> =>
  unscoped.transaction(async (tx) => ((await lockPasswordHash(tx, id, password_hash ?? '')) ? insert(tx) : null))

/** Records that an administrator signed in: the sign-in page names the first credentials until one did. */
export async function recordAdministratorSignIn(
  { unscoped, clock }: IdentityDependencies,
  user: UserAuthRow,
): Promise<void> {
  const isFirst = user.is_administrator && user.first_sign_in_at === null
  if (isFirst) await updateUserFirstSignIn(unscoped, user.id, clock.now())
}

/**
 * Limits failures per account and IP address, so that failures elsewhere never block the owner's first attempt from here.
 */
function accountFailureLimit(
  { limits }: Pick<IdentityDependencies, 'limits'>,
  address: string,
  account: string,
): FailureBucket {
  const { per_pair, per_account } = limits
  const { failures_while_attacked } = per_account
  return {
    name: 'sign-ins-of-pair',
    subject: `${address} ${account}`,
    allowance: per_pair,
    within: { name: 'sign-ins-of-account', subject: account, allowance: per_account, failures_while_attacked },
  }
}

/** The limiter counts in windows of up to 22 days. */
const known_address_ms = 14 * 24 * 3600 * 1000

/**
 * An account that has signed in from an address is not refused there because of the failures of others: one who guesses in an
 * office must not lock out all others in it. Its own failures there are limited as before.
 */
const signInRecord = (address: string, account: string): SuccessfulSubject => ({
  name: 'sign-ins-from-address',
  subject: `${address} ${account}`,
  window_ms: known_address_ms,
})

/** After a change of the hash parameters, the next sign-in replaces the stored hash. Returns the user with the hash stored now. */
async function upgradePasswordHash(
  { unscoped, passwords }: Pick<IdentityDependencies, 'unscoped' | 'passwords'>,
  user: UserAuthRow,
  password: string,
): Promise<UserAuthRow | null> {
  const storedHash = user.password_hash
  if (storedHash === null || !passwords.needsNewHash(storedHash)) return user
  const after = await passwords.hash(password)
  if (await updatePasswordHash(unscoped, user.id, storedHash, after)) return { ...user, password_hash: after }
  // Another sign-in was first, or the password was replaced.
  const current = await findUserAuth(unscoped, user.id)
  return current && (await passwords.verify(password, current.password_hash)) ? current : null
}
