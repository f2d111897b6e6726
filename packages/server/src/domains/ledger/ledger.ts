import { invariant } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../events/emit.ts'
import type { Account } from './accounts.ts'
import { closeBooks, openBooks, post, type Books, type Entry, type Reference } from './books.ts'
import { expireLots, expireNow, takeOut } from './lots.ts'
import { readBooks, type LotRow } from './store.books.ts'

export type { Reference } from './books.ts'
export { listEntries, type EntryRow } from './store.entries.ts'
export { findLot } from './store.holds.ts'

/** Opens a ledger session, runs `work`, which appends entries, and writes them. */
export async function withBooks<T>(tx: Tx, actor: Actor, work: (books: Books) => T): Promise<T> {
  const books = await openBooks(tx, actor)
  const result = work(books)
  await closeBooks(books)
  return result
}

/** Writes one balanced entry that changes no lots; returns its id. */
export const postEntry = (tx: Tx, actor: Actor, entry: Entry): Promise<string> =>
  withBooks(tx, actor, (books) => post(books, entry))

export type GrantKind = 'purchase' | 'auto_topup' | 'grant_signup' | 'grant_monthly' | 'grant_manual'

export interface Grant {
  readonly kind: GrantKind
  readonly amount_credits: number
  readonly reference: Reference
  /** Lots with a lower number are used first. Free credits have 10, purchased credits 50 (the default). */
  readonly priority?: number
  readonly expires_at?: Date | null
  readonly note?: string
}

const counterAccounts: Record<GrantKind, Account> = {
  purchase: 'stripe.clearing',
  auto_topup: 'stripe.clearing',
  grant_signup: 'promo.expense',
  grant_monthly: 'promo.expense',
  grant_manual: 'promo.expense',
}

/** How long before its expiry a lot is announced as expiring. */
const warning_ms = 7 * 86_400_000

/** Grants credits: adds a lot to the wallet. */
export async function grant(tx: Tx, actor: Actor, terms: Grant): Promise<{ entry_id: string; lot_id: string }> {
  return withBooks(tx, actor, (books) => grantIn(books, terms))
}

export function grantIn(books: Books, terms: Grant): { entry_id: string; lot_id: string } {
  const { kind, amount_credits, reference, expires_at = null } = terms
  invariant(
    Number.isSafeInteger(amount_credits) && amount_credits > 0,
    'the amount of a grant must be a positive integer',
  )
  const lot_id = newId()
  const { changes, now } = books
  changes.lots.push({
    id: lot_id,
    kind,
    priority: terms.priority ?? 50,
    expires_at,
    available_credits: amount_credits,
    created_at: now,
  })
  if (expires_at !== null) {
    const warned_at = new Date(Math.max(expires_at.getTime() - warning_ms, now.getTime()))
    changes.deadlines.push(
      { kind: 'lot-expiry', subject_id: lot_id, due_at: expires_at },
      { kind: 'lot-warning', subject_id: lot_id, due_at: warned_at },
    )
  }
  const entry_id = post(books, {
    kind,
    amount_credits,
    reference,
    note: terms.note ?? null,
    postings: [
      { account: 'wallet.available', amount_credits, lot_id },
      { account: counterAccounts[kind], amount_credits: -amount_credits, lot_id: null },
    ],
  })
  return { entry_id, lot_id }
}

/** Deducts credits manually in allocation order; throws if too few are available. Returns the id of the entry. */
export const withdraw = (
  tx: Tx,
  actor: Actor,
  terms: { amount_credits: number; reference: Reference; note: string },
): Promise<string> => withBooks(tx, actor, (books) => takeOut(books, { kind: 'adjust', to: 'promo.expense', ...terms }))

/** Writes off the available credits of expired lots; returns how many. */
export const expireDueLots = (tx: Tx, actor: Actor): Promise<number> => withBooks(tx, actor, expireLots)

/** Writes off the available credits of all lots of these kinds, expired or not; returns how many. */
export const expireLotsOf = (tx: Tx, actor: Actor, kinds: readonly string[]): Promise<number> =>
  withBooks(tx, actor, (books) =>
    expireNow(
      books,
      books.lots.filter((lot) => kinds.includes(lot.kind)),
    ),
  )

export interface Balance {
  readonly available_credits: number
  readonly held_credits: number
  readonly lots: readonly LotRow[]
}

/** The spendable balance: expired lots do not count, even if they are not written off yet. */
export async function balance(db: Queryable, organization: string, now: OrganizationTime): Promise<Balance> {
  const { balances, lots } = await readBooks(db, organization)
  const over = lots.filter((lot) => lot.expires_at !== null && lot.expires_at.getTime() <= now.getTime())
  const lost = over.reduce((sum, lot) => sum + lot.available_credits, 0)
  return {
    available_credits: (balances.get('wallet.available') ?? 0) - lost,
    held_credits: balances.get('wallet.held') ?? 0,
    lots: lots.filter((lot) => !over.includes(lot)),
  }
}
