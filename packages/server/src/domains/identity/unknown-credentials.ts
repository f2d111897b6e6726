import { Problem } from '../../engine/problem.ts'
import type { IdentityDependencies } from './dependencies.ts'
import type { FailureBucket } from './failure-throttle.ts'

/** A token or key that was never issued here: a guess. One that has ended was issued once, and is only rejected. */
export class UnknownCredentials extends Problem {
  constructor(detail: string) {
    super('unauthenticated', detail)
  }
}

type ThrottleDependencies = Pick<IdentityDependencies, 'throttle' | 'limits'>

/** The failure bucket of an IP address, one per kind. */
export const toAddressFailureBucket =
  (name: string) =>
  ({ limits }: ThrottleDependencies, address: string): FailureBucket => ({
    name,
    subject: address,
    allowance: limits.per_address,
  })

/** Failed sign-ins from an IP address, for any account. */
export const signInFailureBucket = toAddressFailureBucket('sign-ins-of-address')

/** Unknown tokens and keys have their own bucket: a program with a wrong key must not block sign-ins from its address. */
const unknownCredentialsBucket = toAddressFailureBucket('unknown-credentials-of-address')

/**
 * Looks up credentials; unknown ones count against the IP address, and throw `rate-limited` with `retry_after_s` if its
 * limit is reached. Unlike a password, a token is looked up in any case: it is too long to be guessed, and those who share
 * an address with a guesser must not be locked out.
 */
export async function throttleUnknownCredentials<T>(
  dependencies: ThrottleDependencies,
  address: string,
  lookup: () => Promise<T>,
): Promise<T> {
  try {
    return await lookup()
  } catch (error) {
    if (error instanceof UnknownCredentials) await recordUnknownCredentialsFailure(dependencies, address)
    throw error
  }
}

/** Counts unknown credentials against their IP address; throws `rate-limited` if its limit is reached. */
export const recordUnknownCredentialsFailure = async (
  dependencies: ThrottleDependencies,
  address: string,
): Promise<void> => {
  const bucket = unknownCredentialsBucket(dependencies, address)
  await dependencies.throttle.attempt([bucket], async () => ({ failed: true, value: null }))
}
