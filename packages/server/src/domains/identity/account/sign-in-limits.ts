import { minute_ms } from '@swath/geo/time-units.ts'
import type { SignInLimits } from '../dependencies.ts'

/**
 * Sixty failures a minute per IP address, ten in five minutes per account and address, three while an account is attacked.
 */
export const defaultSignInLimits: SignInLimits = {
  per_address: { failures: 60, window_ms: minute_ms },
  per_pair: { failures: 10, window_ms: 5 * minute_ms },
  per_account: { failures: 100, window_ms: 5 * minute_ms, failures_while_attacked: 3 },
}
