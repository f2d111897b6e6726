import type { Seller } from '../../../platform/seller.ts'
import type { Books, Reference } from '../../ledger/books.ts'
import { creditReceiptIn } from './credit-receipt.ts'
import { issueIn, type DocumentRow } from './issue-document.ts'
import type { TopupRow } from '../topups/store.topups.ts'

/** What a receipt or a credit note says of bought credits: one credit is one cent. */
export const creditsLine = (description: string, credits: number) => ({
  description,
  quantity: credits,
  unit: 'credits',
  unit_price_cents: 1,
  amount_cents: credits,
  order_id: null,
})

/** The receipt of a top-up, within the books that grant its credits; issued again it is the same one. */
export const receiptIn = (books: Books, seller: Seller, topup: TopupRow): Promise<DocumentRow> =>
  issueIn(books, seller, {
    kind: 'receipt',
    lines: [creditsLine('Credits', topup.credits)],
    paid_at: books.now,
    reference: { type: 'topup', id: topup.id },
  })

/** A part of what a top-up was paid for was given back to its card; issued again for the same reason it is the same note. */
export async function creditNoteIn(
  books: Books,
  seller: Seller,
  topup: TopupRow,
  credits: number,
  reference: Reference,
): Promise<DocumentRow | null> {
  const receipt = await receiptIn(books, seller, topup)
  const line = (cents: number) => creditsLine('Credits given back', cents)
  return creditReceiptIn(books, seller, receipt, { cents: credits, reference, line })
}
