import { Problem } from '../../../engine/problem.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { fill, type PageText } from '../page-texts/page-text.ts'
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
  error: { text: describeWait(retry_after_s), field: null },
  status: 429,
  headers: { 'retry-after': String(retry_after_s) },
})

function describeWait(seconds: number): PageText {
  if (seconds === 1) return 'Too many failed attempts. Try again in 1 second.'
  if (seconds < 60) return fill('Too many failed attempts. Try again in {count} seconds.', { count: String(seconds) })
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1
    ? 'Too many failed attempts. Try again in 1 minute.'
    : fill('Too many failed attempts. Try again in {count} minutes.', { count: String(minutes) })
}
