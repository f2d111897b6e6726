import type { Books } from '../../ledger/books.ts'
import { findAuthorisation } from '../cards/store.authorisations.ts'
import { cardReceiptIn } from '../documents/card-receipt.ts'
import type { DocumentRow, Issuer } from '../documents/issue-document.ts'
import { receiptIn } from '../documents/receipts.ts'
import { findTopup } from '../topups/store.topups.ts'
import type { OwnIntent } from './payment-owner.ts'

/** Finds or issues the receipt of a paid intent; null if it is not paid yet. */
export async function receiptOf(books: Books, issuer: Issuer, own: OwnIntent): Promise<DocumentRow | null> {
  const { tx } = books
  if (own.topup_id !== null) {
    const topup = await findTopup(tx, own.organization, own.topup_id)
    return topup?.state === 'succeeded' ? receiptIn(books, issuer.seller, topup) : null
  }
  if (own.authorisation_id === null) return null
  const row = await findAuthorisation(tx, own.organization, own.authorisation_id)
  return row?.state === 'captured' ? cardReceiptIn(books, issuer.seller, row) : null
}
