import { invariant } from '../../engine/problem.ts'
import type { EntryKind } from './accounts.ts'
import { post, type Books, type Posting, type Reference } from './books.ts'
import { expireLots, expireReturned } from './lots.ts'
import type { LotAmount } from './store.books.ts'

/** The fields of an entry other than its amounts. */
interface Wording {
  readonly kind: Extract<EntryKind, 'refund' | 'payment' | 'dispute_hold' | 'dispute_won' | 'dispute_lost'>
  readonly reference: Reference
  readonly note?: string | null
}

const wallet = (lots: readonly LotAmount[], sign: 1 | -1): Posting[] =>
  lots.map(({ lot_id, amount_credits }) => ({
    account: 'wallet.available',
    amount_credits: sign * amount_credits,
    lot_id,
  }))

const sumOf = (lots: readonly LotAmount[]): number => lots.reduce((sum, lot) => sum + lot.amount_credits, 0)

/**
 * Moves up to `amount_credits` from the wallet to `refunds`, from one lot first and then in allocation order; `refunds`
 * holds what is being refunded to a card until the money has left. Returns the amount by lot; appends no entry if there
 * was nothing to take.
 */
export function takeBack(
  books: Books,
  terms: Wording & { readonly amount_credits: number; readonly first: string | null; readonly only?: boolean },
): { entry_id: string | null; lots: LotAmount[] } {
  expireLots(books)
  const open = books.lots.filter((lot) => lot.expires_at === null || lot.expires_at.getTime() > books.now.getTime())
  const ordered = [...open.filter(({ id }) => id === terms.first), ...open.filter(({ id }) => id !== terms.first)]
  const lots: LotAmount[] = []
  let missing = terms.amount_credits
  for (const lot of terms.only ? ordered.filter(({ id }) => id === terms.first) : ordered) {
    const amount_credits = Math.min(missing, lot.available_credits)
    if (amount_credits > 0) lots.push({ lot_id: lot.id, amount_credits })
    missing -= amount_credits
  }
  const taken = sumOf(lots)
  if (taken === 0) return { entry_id: null, lots }
  for (const lot of lots) books.changes.moves.push({ ...lot, from: 'available', to: 'refunded' })
  const aside: Posting = { account: 'refunds', amount_credits: taken, lot_id: null }
  const { kind, reference, note = null } = terms
  const postings = [...wallet(lots, -1), aside]
  return { entry_id: post(books, { kind, reference, note, amount_credits: -taken, postings }), lots }
}

/** Returns reversed credits to the lots they came from; if a lot has expired, they are written off at once. */
export function bringBack(
  books: Books,
  terms: Wording & { readonly lots: readonly (LotAmount & { readonly expires_at: Date | null })[] },
): void {
  const { kind, reference, note = null, lots } = terms
  const amount_credits = sumOf(lots)
  invariant(amount_credits > 0, 'credits can be restored only if some were reversed')
  for (const { lot_id, amount_credits: amount } of lots) {
    books.changes.moves.push({ lot_id, amount_credits: amount, from: 'refunded', to: 'available' })
  }
  const aside: Posting = { account: 'refunds', amount_credits: -amount_credits, lot_id: null }
  post(books, { kind, reference, note, amount_credits, postings: [...wallet(lots, 1), aside] })
  expireReturned(books, lots)
}

/**
 * Records that the payment processor returned money. If it returned more than was reversed, `refunds` becomes negative
 * by what the customer owes.
 */
export const payOut = (books: Books, terms: Wording & { readonly amount_credits: number }): string => {
  const { kind, reference, note = null, amount_credits } = terms
  return post(books, {
    kind,
    reference,
    note,
    amount_credits: -amount_credits,
    postings: [
      { account: 'refunds', amount_credits: -amount_credits, lot_id: null },
      { account: 'stripe.clearing', amount_credits, lot_id: null },
    ],
  })
}
