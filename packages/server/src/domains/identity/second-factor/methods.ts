import type { SecondFactorRule } from '@swath/contract/schemas/people/account.ts'

/** How a user signed in, by RFC 8176. */
export type AuthenticationMethod = 'pwd' | 'otp' | 'hwk' | 'swk' | 'mfa'

/** Sessions of before began with a password. */
export const methodsOf = (amr: readonly string[] | null): readonly string[] => amr ?? ['pwd']

/** True if a user signed in with two factors. */
export const hasTwoFactors = (amr: readonly string[] | null): boolean => methodsOf(amr).includes('mfa')

/** The class of an authentication (`acr`): `2` with two factors, else `1`. */
export const classOfMethods = (amr: readonly string[] | null): '1' | '2' => (hasTwoFactors(amr) ? '2' : '1')

/** True if somebody who signed in like this may act in an organization with this rule; null for no organization. */
export const isRuleSatisfied = (rule: SecondFactorRule | null, amr: readonly string[] | null): boolean =>
  rule !== 'required' || hasTwoFactors(amr)

/** True for a user who has set a second factor up. */
export const hasSecondFactor = ({
  has_totp,
  has_passkey,
}: {
  readonly has_totp: boolean
  readonly has_passkey: boolean
}): boolean => has_totp || has_passkey
