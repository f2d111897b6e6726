import type { LedgerSession } from '../ledger/ledger-session.ts'
import { readChargeOfHold } from '../ledger/charges.ts'
import type { SellerSettings } from '../../platform/seller.ts'
import type { DocumentLine } from '../invoicing/documents/billing-document.ts'
import { issueBillingDocumentInSession } from '../invoicing/documents/issue-document.ts'
import type { BillingDocumentRow } from '../invoicing/documents/store.invoices.ts'
import { parseChargedScene } from '../invoicing/documents/charged-scene.ts'
import { readCardPayment } from '../payment_methods/card-payment-details.ts'
import type { CardAuthorisationRow } from './store.authorisations.ts'

/** Issues the receipt of a captured card payment, with its charge lines; repeated calls return the same receipt. */
export async function issueCardReceipt(
  ledger: LedgerSession,
  seller: SellerSettings,
  row: CardAuthorisationRow,
): Promise<BillingDocumentRow> {
  return issueBillingDocumentInSession(ledger, seller, {
    kind: 'receipt',
    lines: await readChargedLines(ledger, row),
    paid_at: ledger.now,
    payment: await readCardPayment(ledger.tx, ledger.actor.organization, row.payment_method_id, row.intent),
    reference: { type: 'authorisation', id: row.id },
  })
}

async function readChargedLines(ledger: LedgerSession, row: CardAuthorisationRow): Promise<DocumentLine[]> {
  const charge = row.hold_id === null ? null : await readChargeOfHold(ledger.tx, ledger.actor.organization, row.hold_id)
  const order_id = row.reference_type === 'order' ? row.reference_id : null
  return (charge?.lines ?? [])
    .filter((line) => (line.settled_credits ?? 0) > 0)
    .map((line) => ({
      description: line.product,
      ...parseChargedScene({ ...line, reference_type: row.reference_type }),
      quantity: line.charged_quantity,
      unit: line.unit,
      unit_price_cents: line.rate_credits,
      amount_cents: line.settled_credits ?? 0,
      order_id,
    }))
}
