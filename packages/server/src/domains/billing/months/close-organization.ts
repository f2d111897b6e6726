import type { Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../events/emit.ts'
import type { Account } from '../../ledger/accounts.ts'
import { announceChange } from '../../identity/changes.ts'
import { closeBooks, openBooks } from '../../ledger/books.ts'
import { expireNow } from '../../ledger/lots.ts'
import { closeOrganization } from '../../organizations/named.ts'

/** Accounts that must be zero, because open holds and accruals are settled and invoiced before an organization closes. */
const underWay: readonly Account[] = ['wallet.held', 'card.authorised', 'enterprise.held', 'enterprise.accrued']

/**
 * Closes an organization whose deletion date has passed: writes off its wallet and revokes the access of its members and
 * API keys. Returns the written-off credits; null if charges are open, or the deletion was completed or cancelled elsewhere.
 */
export async function closeDeleted(tx: Tx, actor: Actor): Promise<number | null> {
  const books = await openBooks(tx, actor)
  if (underWay.some((account) => (books.balances.get(account) ?? 0) !== 0)) return null
  if (!(await closeOrganization(tx, actor.organization, books.now))) return null
  await announceChange(tx, `organization:${actor.organization}`)
  const expired = expireNow(books, books.lots)
  await closeBooks(books)
  return expired
}
