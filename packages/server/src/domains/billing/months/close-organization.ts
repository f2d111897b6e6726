import type { Tx } from '../../../platform/database/database.ts'
import type { Actor } from '../../events/emit.ts'
import type { Account } from '../../ledger/accounts.ts'
import { announceChange } from '../../identity/changes.ts'
import { closeBooks, openBooks } from '../../ledger/books.ts'
import { expireNow } from '../../ledger/lots.ts'
import { closeOrganization } from '../../organizations/named.ts'

/** Accounts that say that something is under way: it ends, and is invoiced, before the organization does. */
const underWay: readonly Account[] = ['wallet.held', 'card.authorised', 'enterprise.held', 'enterprise.accrued']

/**
 * Closes an organization whose day of deletion has come: what is left in its wallet is written off, and its people and keys are let in no more. How many credits that
 * was; null where something is still under way, and where somebody else closed it or took the day back.
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
