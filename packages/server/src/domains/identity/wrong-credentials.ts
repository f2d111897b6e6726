import { Problem } from '../../engine/problem.ts'
import type { IdentityParts } from './parts.ts'
import type { Counted } from './throttle.ts'

/** A token or key that was never issued here: a guess. One that has ended was issued once, and is only rejected. */
export class UnknownCredentials extends Problem {
  constructor(detail: string) {
    super('unauthenticated', detail)
  }
}

type Parts = Pick<IdentityParts, 'throttle' | 'limits'>

/** The failure bucket of an IP address, one per kind. */
const countedAs =
  (name: string) =>
  ({ limits }: Parts, address: string): Counted => ({ name, subject: address, allowance: limits.per_address })

/** Failed sign-ins from an IP address, for any account. */
export const failuresOf = countedAs('sign-ins-of-address')

/** Unknown tokens and keys have their own bucket: a program with a wrong key must not block sign-ins from its address. */
const unknownOf = countedAs('unknown-credentials-of-address')

/**
 * Looks up credentials; unknown ones count against the IP address, and throw `rate-limited` with `retry_after_s` if its
 * limit is reached. Unlike a password, a token is looked up in any case: it is too long to be guessed, and those who share
 * an address with a guesser must not be locked out.
 */
export async function countUnknown<T>(parts: Parts, address: string, lookUp: () => Promise<T>): Promise<T> {
  try {
    return await lookUp()
  } catch (error) {
    if (error instanceof UnknownCredentials) {
      await parts.throttle.attempt([unknownOf(parts, address)], async () => ({ failed: true, value: null }))
    }
    throw error
  }
}
