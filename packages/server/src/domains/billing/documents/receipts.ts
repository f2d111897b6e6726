import type { Seller } from '../../../platform/seller.ts'
import type { Books, Reference } from '../../ledger/books.ts'
import { creditReceiptIn } from './credit-receipt.ts'
import { issueIn, type DocumentRow } from './issue-document.ts'
import type { TopupRow } from '../topups/store.topups.ts'

/** The line of a receipt or credit note for purchased credits: one credit is one cent. */
export const creditsLine = (description: string, credits: number) => ({
  description,
  quantity: credits,
  unit: 'credits',
  unit_price_cents: 1,
  amount_cents: credits,
  order_id: null,
})

/** Issues the receipt of a top-up in the ledger session that grants its credits; repeated calls return the same one. */
export const receiptIn = (books: Books, seller: Seller, topup: TopupRow): Promise<DocumentRow> =>
  issueIn(books, seller, {
    kind: 'receipt',
    lines: [creditsLine('Credits', topup.credits)],
    paid_at: books.now,
    reference: { type: 'topup', id: topup.id },
  })

/** Issues the credit note of a refunded top-up; repeated calls with the same reference return the same one. */
export async function creditNoteIn(
  books: Books,
  seller: Seller,
  topup: TopupRow,
  credits: number,
  reference: Reference,
): Promise<DocumentRow | null> {
  const receipt = await receiptIn(books, seller, topup)
  const line = (cents: number) => creditsLine('Credits refunded', cents)
  return creditReceiptIn(books, seller, receipt, { cents: credits, reference, line })
}
