import type { Principal } from '../../engine/call.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { toUserPrincipal } from './principals.ts'
import { findUserAuth } from './store.ts'

/**
 * The principal of a user for background work in one organization; null if the user is disabled or not in it (any more).
 */
export async function findMemberPrincipal(
  unscoped: Queryable,
  organization: string,
  user: string,
): Promise<Principal | null> {
  const row = await findUserAuth(unscoped, user)
  const principal = row && toUserPrincipal(row)
  return principal?.organization === organization ? principal : null
}
