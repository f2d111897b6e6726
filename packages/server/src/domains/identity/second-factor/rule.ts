import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { findUserIn } from '../memberships/choose-organization.ts'
import { hasTwoFactors, isRuleSatisfied } from './methods.ts'

/** A session, or what it is to become. */
interface RuledSession {
  readonly user_id: string | null
  /** Null for the organization that the user chose last. */
  readonly organization_id: string | null
  readonly amr: readonly string[] | null
  /** The organization whose provider began it; null for a password. */
  readonly provider_organization_id: string | null
}

/** False if the organization of a session wants a second factor, and its user signed in without one. */
export async function isAllowedByRule(
  db: SqlStatementRunner,
  { user_id, organization_id, amr, provider_organization_id }: RuledSession,
): Promise<boolean> {
  if (user_id === null || hasTwoFactors(amr)) return true
  const user = await findUserIn(db, organization_id, user_id, provider_organization_id)
  return user === null || isRuleSatisfied(user.second_factor_rule, amr)
}
