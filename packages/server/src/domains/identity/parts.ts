import type { PasswordHasher } from '../../platform/crypto/passwords.ts'
import type { SigningKeys } from '../../platform/crypto/signing-keys.ts'
import type { Clock, OrganizationClocks } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { KeyUses } from './key-uses.ts'
import type { Remembered } from './remembered.ts'
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

export interface AuthenticationParts {
  /** Works across organizations: nobody knows yet whose token it is. */
  readonly across: Db
  readonly clock: Clock & OrganizationClocks
  readonly tokens: AccessTokens
  readonly remembered: Remembered
  /** Those of maps apart: none of them is ever taken for a Bearer token. */
  readonly tileTokens: Remembered
  readonly uses: KeyUses
  readonly throttle: Throttle
  readonly limits: SignInLimits
}

/** What the endpoints work with. */
export interface IdentityParts extends AuthenticationParts {
  readonly keys: SigningKeys
  readonly passwords: PasswordHasher
}
