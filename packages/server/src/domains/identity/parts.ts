import type { SigningKeys } from '../../platform/crypto/signing-keys.ts'
import type { AuthenticationParts } from './authenticate.ts'
import type { Allowance, Throttle } from './throttle.ts'

/** How many failed sign-ins are let through, by the address that they come from and by the account that they are for. */
export interface SignInLimits {
  readonly per_address: Allowance
  readonly per_account: Allowance
}

/** What the endpoints work with. */
export interface IdentityParts extends AuthenticationParts {
  readonly keys: SigningKeys
  readonly throttle: Throttle
  readonly limits: SignInLimits
}
