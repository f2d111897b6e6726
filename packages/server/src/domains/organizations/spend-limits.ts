import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Caps } from '../ledger/caps.ts'
import { lockBooks } from '../ledger/books.ts'
import { updateCaps } from './store.members.ts'

/**
 * Sets the spend limits of a member; false if the user is not in the organization. The ledger is locked: a hold that was
 * checked against the previous limits is written before the change.
 */
export async function changeCaps(
  tx: Tx,
  organization: string,
  user: string,
  caps: Caps,
  now: OrganizationTime,
): Promise<boolean> {
  await lockBooks(tx, organization)
  return updateCaps(tx, organization, user, caps, now)
}
