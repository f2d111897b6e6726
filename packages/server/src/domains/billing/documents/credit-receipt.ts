import type { Seller } from '../../../platform/seller.ts'
import type { Books, Reference } from '../../ledger/books.ts'
import { gstOf, remainderOf } from './credit-invoice.ts'
import type { DocumentLine } from './documents.ts'
import { issueIn, type DocumentRow } from './issue-document.ts'

/**
 * Issues a credit note on a receipt for refunded money; repeated calls with the same reference return the same one. A
 * receipt is never credited beyond its total: returns null if nothing remains.
 */
export async function creditReceiptIn(
  books: Books,
  seller: Seller,
  receipt: DocumentRow,
  { cents, reference, line }: { cents: number; reference: Reference; line: (cents: number) => DocumentLine },
): Promise<DocumentRow | null> {
  const left = await remainderOf(books, receipt)
  const credited = Math.min(cents, left.cents)
  if (credited === 0) return null
  return issueIn(books, seller, {
    kind: 'credit_note',
    lines: [line(credited)],
    gst_cents: gstOf(receipt, left, credited),
    belongs_to: receipt,
    reference,
  })
}

/** The credit note line of a refunded card payment. */
export const givenBack =
  (description: string, order_id: string | null = null) =>
  (amount_cents: number): DocumentLine => ({
    description,
    quantity: 1,
    unit: null,
    unit_price_cents: null,
    amount_cents,
    order_id,
  })
