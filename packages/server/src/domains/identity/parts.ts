import type { PasswordHasher } from '../../platform/crypto/passwords.ts'
import type { SigningKeys } from '../../platform/crypto/signing-keys.ts'
import type { AuthenticationParts } from './authenticate.ts'
import type { Allowance, Throttle } from './throttle.ts'

/** How many failed sign-ins are let through. Knowing an e-mail must not be enough to keep its owner out. */
export interface SignInLimits {
  /** From one address, for whatever account. */
  readonly per_address: Allowance
  /** For one account from one address. */
  readonly per_pair: Allowance
  /** For one account from everywhere; then each address has only `strained_failures` for it. */
  readonly per_account: Allowance & { readonly strained_failures: number }
}

/** What the endpoints work with. */
export interface IdentityParts extends AuthenticationParts {
  readonly keys: SigningKeys
  readonly passwords: PasswordHasher
  readonly throttle: Throttle
  readonly limits: SignInLimits
}
