import type { Principal } from '../../engine/call.ts'
import type { Database, SqlStatementRunner } from '../../platform/database/database.ts'
import { toUserPrincipal } from './principals.ts'
import { findUserAuth, findUserAuthInOrganization } from './store.ts'

/** True if the user may not sign in any more. */
export async function isUserDisabled({ unscoped }: Pick<Database, 'unscoped'>, user: string): Promise<boolean> {
  const row = await findUserAuth(unscoped, user)
  return row !== null && row.disabled_at !== null
}

/**
 * The principal of a user for background work in one organization; null if the user is disabled or not in it (any more).
 */
export async function findMemberPrincipal(
  unscoped: SqlStatementRunner,
  organization: string,
  user: string,
): Promise<Principal | null> {
  const row = await findUserAuthInOrganization(unscoped, organization, user)
  return row && toUserPrincipal(row)
}
