import type { IdentityDependencies } from '../dependencies.ts'
import { getFormField, OAuthProblem, type IdentityEndpointRequest } from '../oauth.ts'
import type { UserAuthRow } from '../store.ts'
import { isRuleSatisfied, type AuthenticationMethod } from './methods.ts'
import { verifySecondFactor } from './verify-second-factor.ts'

/** Part of a sentence about a session that has no tokens of an organization. */
export const secondFactorMessage =
  'the organization requires a second factor, and its user signed in without one; sign in again with a browser'

/** The password was right, and a code of the second factor is missing or wrong. */
class OtpRequired extends OAuthProblem {
  override readonly more = { otp_required: true }

  constructor(description: string) {
    super('invalid_grant', description)
  }
}

const missingCodeMessage = ({ has_totp }: UserAuthRow): string =>
  has_totp
    ? 'A second factor is needed: send a code of the authenticator app, or a recovery code, as otp.'
    : 'A second factor is needed: send a recovery code as otp, or sign in with a browser and the passkey.'

/**
 * The methods of a user who entered the password in the password grant. Throws `invalid_grant` for a user with a second factor
 * who sent no code, or a wrong one, and `rate-limited` after too many of those.
 */
export async function requireSecondFactorOfGrant(
  dependencies: IdentityDependencies,
  { form, address }: IdentityEndpointRequest,
  user: UserAuthRow,
): Promise<readonly AuthenticationMethod[]> {
  if (!user.has_totp && !user.has_passkey) return ['pwd']
  const code = getFormField(form, 'otp')
  if (code === null) throw new OtpRequired(missingCodeMessage(user))
  if (await verifySecondFactor(dependencies, user, { code, address })) return ['pwd', 'otp', 'mfa']
  throw new OtpRequired('The code of the second factor is wrong, or was used before.')
}

/** Throws `invalid_grant` if the organization requires a second factor and its user has none. */
export function requireRuleOfGrant({ second_factor_rule }: UserAuthRow, amr: readonly string[]): void {
  if (isRuleSatisfied(second_factor_rule, amr)) return
  throw new OAuthProblem(
    'invalid_grant',
    'The organization requires a second factor. Set one up first, by signing in with a browser.',
  )
}
