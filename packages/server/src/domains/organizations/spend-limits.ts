import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Caps } from '../ledger/caps.ts'
import { lockBooks } from '../ledger/books.ts'
import { updateCaps } from './store.members.ts'

/**
 * Sets what a member may spend; false where the person is not in the organization. The money is locked: a hold that has
 * read the caps of before is written before, so nobody sees it come after the change that forbids it.
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
