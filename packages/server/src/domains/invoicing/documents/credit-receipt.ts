import type { SellerSettings } from '../../../platform/seller.ts'
import type { LedgerSession, LedgerReference } from '../../ledger/ledger-session.ts'
import { computeCreditedGst, computeCreditableRemainder } from './credit-invoice.ts'
import type { DocumentLine } from './billing-document.ts'
import { issueBillingDocumentInSession } from './issue-document.ts'
import type { BillingDocumentRow } from './store.invoices.ts'

/**
 * Issues a credit note on a receipt for refunded money; repeated calls with the same reference return the same one. A
 * receipt is never credited beyond its total: returns null if nothing remains.
 */
export async function issueReceiptCreditNote(
  ledger: LedgerSession,
  seller: SellerSettings,
  receipt: BillingDocumentRow,
  { cents, reference, line }: { cents: number; reference: LedgerReference; line: (cents: number) => DocumentLine },
): Promise<BillingDocumentRow | null> {
  const remainder = await computeCreditableRemainder(ledger, receipt)
  const credited_cents = Math.min(cents, remainder.cents)
  if (credited_cents === 0) return null
  return issueBillingDocumentInSession(ledger, seller, {
    kind: 'credit_note',
    lines: [line(credited_cents)],
    gst_cents: computeCreditedGst(receipt, remainder, credited_cents),
    belongs_to: receipt,
    // The money returns to the card that it came from.
    payment: receipt.document.payment ?? null,
    reference,
  })
}

/** The credit note line of a refunded card payment. */
export const createRefundLine =
  (description: string, order_id: string | null = null) =>
  (amount_cents: number): DocumentLine => ({
    description,
    quantity: 1,
    unit: null,
    unit_price_cents: null,
    amount_cents,
    order_id,
  })
