import { Problem } from '../../../engine/problem.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { verifyUserPassword, type PasswordAttempt } from '../password-sign-in.ts'
import type { UserAuthRow } from '../store.ts'
import type { SignInPage } from './submission.ts'

/** The user, or null for a wrong password; the refusal of too many attempts is shown in the form. */
export async function attemptPasswordSignIn(
  dependencies: IdentityDependencies,
  attempt: PasswordAttempt,
): Promise<{ readonly user: UserAuthRow | null } | { readonly refusal: Omit<SignInPage, 'email'> }> {
  try {
    return { user: await verifyUserPassword(dependencies, attempt) }
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'rate-limited') throw error
    const retry_after_s = Number(error.extra['retry_after_s'] ?? 1)
    return { refusal: refuseAttempts(retry_after_s) }
  }
}

/** What a page says after too many failed attempts. */
export const refuseAttempts = (retry_after_s: number) => ({
  error: { text: `Too many failed attempts. Try again in ${formatWait(retry_after_s)}.`, field: null },
  status: 429,
  headers: { 'retry-after': String(retry_after_s) },
})

function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (seconds < 60) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
}
