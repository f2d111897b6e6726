import type { PasswordHasher } from '../../platform/crypto/passwords.ts'
import type { SigningKeys } from '../../platform/crypto/signing-keys.ts'
import type { Clock, OrganizationClocks } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { KeyUses } from './key-uses.ts'
import type { Remembered } from './remembered.ts'
import type { Allowance, Throttle } from './throttle.ts'

/** The limits of failed sign-ins. Knowing an email must not be enough to lock out its owner. */
export interface SignInLimits {
  /** Per IP address, for any account. */
  readonly per_address: Allowance
  /** Per account and IP address. */
  readonly per_pair: Allowance
  /** Per account from all addresses; beyond it each address has only `failures_while_attacked` for the account. */
  readonly per_account: Allowance & { readonly strained_failures: number }
}

export interface AuthenticationParts {
  /** Unscoped: the organization of a token is not known before it is looked up. */
  readonly across: Db
  readonly clock: Clock & OrganizationClocks
  readonly tokens: AccessTokens
  readonly remembered: Remembered
  /** Tile tokens, cached apart: none of them is ever accepted as a Bearer token. */
  readonly tileTokens: Remembered
  readonly uses: KeyUses
  readonly throttle: Throttle
  readonly limits: SignInLimits
}

/** The dependencies of the endpoints. */
export interface IdentityParts extends AuthenticationParts {
  readonly keys: SigningKeys
  readonly passwords: PasswordHasher
}
