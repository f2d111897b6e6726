import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Account } from './accounts.ts'
import { post, type Books, type Posting, type Reference } from './books.ts'
import type { LotAmount, LotRow } from './store.books.ts'

export { listLots, type WholeLot } from './store.lots.ts'

const isOver = (lot: { expires_at: Date | null }, now: OrganizationTime): boolean =>
  lot.expires_at !== null && lot.expires_at.getTime() <= now.getTime()

/**
 * Allocates an amount to lots: lowest priority number, then earliest expiry, then oldest (the order they are read in).
 * Writes off expired lots first. Throws `insufficient-credits` if the remaining lots do not cover the amount.
 */
export function drawLots(books: Books, amount_credits: number): LotAmount[] {
  expireLots(books)
  const drawn: LotAmount[] = []
  let missing = amount_credits
  let available = 0
  for (const lot of books.lots.filter((row) => !isOver(row, books.now))) {
    available += lot.available_credits
    const part = Math.min(missing, lot.available_credits)
    if (part > 0) drawn.push({ lot_id: lot.id, amount_credits: part })
    missing -= part
  }
  if (missing > 0) {
    throw new Problem('insufficient-credits', `${amount_credits} credits are needed and ${available} are available.`, {
      required_credits: amount_credits,
      available_credits: available,
    })
  }
  return drawn
}

/** Writes off the available credits of expired lots; returns how many. */
export const expireLots = (books: Books): number =>
  expireNow(
    books,
    books.lots.filter((lot) => isOver(lot, books.now)),
  )

/** Writes off the available credits of these lots, expired or not; returns how many. */
export const expireNow = (books: Books, lots: readonly LotRow[]): number =>
  lots.reduce((sum, lot) => sum + expire(books, lot, lot.available_credits), 0)

function expire(books: Books, lot: Pick<LotRow, 'id' | 'expires_at'>, amount_credits: number): number {
  const lot_id = lot.id
  books.changes.moves.push({ lot_id, amount_credits, from: 'available', to: 'expired' })
  post(books, {
    kind: 'expire',
    amount_credits: -amount_credits,
    reference: { type: 'lot', id: lot_id },
    postings: [
      { account: 'wallet.available', amount_credits: -amount_credits, lot_id },
      { account: 'expired.breakage', amount_credits, lot_id: null },
    ],
  })
  // Held credits may still return to a lot that has not expired.
  if (isOver(lot, books.now)) books.changes.cleared.push({ kind: 'lot-expiry', subject_id: lot_id })
  return amount_credits
}

/** After credits returned to lots: writes off the lots that expired in the meantime, as entries of their own. */
export function expireReturned(books: Books, returned: readonly (LotAmount & { expires_at: Date | null })[]): void {
  for (const { lot_id: id, amount_credits, expires_at } of returned.filter((lot) => isOver(lot, books.now))) {
    const left = books.lots.find((lot) => lot.id === id)?.available_credits ?? 0
    expire(books, { id, expires_at }, left + amount_credits)
  }
}

/** Two postings per lot: out of one account, into the other. */
export const between = (lots: readonly LotAmount[], from: Account, to: Account): Posting[] =>
  lots.flatMap(({ lot_id, amount_credits }) => [
    { account: from, amount_credits: -amount_credits, lot_id },
    { account: to, amount_credits, lot_id },
  ])

/** Deducts credits from the wallet permanently, in allocation order. Returns the id of the entry. */
export function takeOut(
  books: Books,
  terms: { kind: 'adjust' | 'refund'; amount_credits: number; to: Account; reference: Reference; note?: string | null },
): string {
  const lots = drawLots(books, terms.amount_credits)
  for (const lot of lots) books.changes.moves.push({ ...lot, from: 'available', to: 'refunded' })
  return post(books, {
    kind: terms.kind,
    amount_credits: -terms.amount_credits,
    reference: terms.reference,
    note: terms.note ?? null,
    postings: [
      ...lots.map((lot) => ({
        account: 'wallet.available' as const,
        amount_credits: -lot.amount_credits,
        lot_id: lot.lot_id,
      })),
      { account: terms.to, amount_credits: terms.amount_credits, lot_id: null },
    ],
  })
}
