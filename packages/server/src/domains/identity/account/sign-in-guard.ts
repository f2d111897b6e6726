import { minute_ms } from '@swath/geo/time-units.ts'
import { defineService } from '../../../engine/process-services.ts'
import type { RateLimiter } from '../../../platform/rate-limits/rate-limit.ts'
import type { SignInLimits } from '../dependencies.ts'
import { createFailureThrottle, type FailureThrottle } from '../failure-throttle.ts'
import { defaultSignInLimits } from './sign-in-limits.ts'

/** Counts wrong passwords and codes in calls of operations, together with those of sign-ins. */
export interface SignInGuard {
  readonly throttle: FailureThrottle
  readonly limits: SignInLimits
}

export const signInGuardServiceKey = defineService<SignInGuard>('signInGuard')

export const createSignInGuard = (
  rates: RateLimiter,
  { rate_sign_ins }: { readonly rate_sign_ins: number },
): SignInGuard => ({
  throttle: createFailureThrottle(rates),
  limits: { ...defaultSignInLimits, per_address: { failures: rate_sign_ins, window_ms: minute_ms } },
})
