import type { SellerSettings } from '../../../platform/seller.ts'
import type { LedgerSession, LedgerReference } from '../../ledger/ledger-session.ts'
import { issueReceiptCreditNote } from '../../invoicing/documents/credit-receipt.ts'
import { issueBillingDocumentInSession } from '../../invoicing/documents/issue-document.ts'
import type { BillingDocumentRow } from '../../invoicing/documents/store.invoices.ts'
import { readCardPayment } from '../../payment_methods/card-payment-details.ts'
import type { TopupRow } from './store.topups.ts'

/** The line of a receipt or credit note for purchased credits: one credit is one cent. */
export const createCreditsLine = (description: string, credits: number) => ({
  description,
  quantity: credits,
  unit: 'credits',
  unit_price_cents: 1,
  amount_cents: credits,
  order_id: null,
})

/** Issues the receipt of a top-up in the ledger session that grants its credits; repeated calls return the same one. */
export async function issueTopupReceipt(
  ledger: LedgerSession,
  seller: SellerSettings,
  topup: TopupRow,
): Promise<BillingDocumentRow> {
  const { tx, actor } = ledger
  return issueBillingDocumentInSession(ledger, seller, {
    kind: 'receipt',
    lines: [createCreditsLine('Credits', topup.credits)],
    paid_at: ledger.now,
    payment: await readCardPayment(tx, actor.organization, topup.payment_method_id, topup.intent),
    reference: { type: 'topup', id: topup.id },
  })
}

/** Issues the credit note of a refunded top-up; repeated calls with the same reference return the same one. */
export async function issueTopupCreditNote(
  ledger: LedgerSession,
  {
    seller,
    topup,
    credits,
    reference,
  }: {
    readonly seller: SellerSettings
    readonly topup: TopupRow
    readonly credits: number
    readonly reference: LedgerReference
  },
): Promise<BillingDocumentRow | null> {
  const receipt = await issueTopupReceipt(ledger, seller, topup)
  const line = (cents: number) => createCreditsLine('Credits refunded', cents)
  return issueReceiptCreditNote(ledger, seller, receipt, { cents: credits, reference, line })
}
