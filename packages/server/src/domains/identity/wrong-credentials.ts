import { Problem } from '../../engine/problem.ts'
import type { IdentityParts } from './parts.ts'
import type { Counted } from './throttle.ts'

/** A token or key that was never issued here: a guess. One that has ended was known once, and is only refused. */
export class UnknownCredentials extends Problem {
  constructor(detail: string) {
    super('unauthenticated', detail)
  }
}

type Parts = Pick<IdentityParts, 'throttle' | 'limits'>

/** So many failures of an address are let through, of each kind for itself. */
const countedAs =
  (name: string) =>
  ({ limits }: Parts, address: string): Counted => ({ name, subject: address, allowance: limits.per_address })

/** Failed sign-ins of an address, whatever was tried from there. */
export const failuresOf = countedAs('sign-ins-of-address')

/** Unknown tokens and keys, apart: a program with a wrong key keeps nobody behind its address from signing in. */
const unknownOf = countedAs('unknown-credentials-of-address')

/**
 * Looks credentials up; unknown ones count against the address that they come from, and throw `rate-limited` with
 * `retry_after_s` where it has had as many as it may. Unlike a password, a token is looked up in any case: it is too long to be
 * guessed, and who shares an address with a guesser (or with a program that was given a wrong key) must not be shut out.
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
