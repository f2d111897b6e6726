import type { Tx } from '../../../platform/database/database.ts'
import type { PaymentIntent } from '../../../platform/integrations/payments/payments.ts'
import type { LedgerSession } from '../../ledger/ledger-session.ts'
import type { DocumentIssuer } from '../../invoicing/documents/issue-document.ts'
import type { BillingDocumentRow } from '../../invoicing/documents/store.invoices.ts'

/** The effects of events of the processor on top-ups; passed in by billing, whose top-ups this module pays. */
export interface TopupPaymentEffects {
  /** Applies the current state of the intent of a top-up. */
  applyIntent(tx: Tx, actor: DocumentIssuer, topup_id: string, intent: PaymentIntent): Promise<void>
  /** Records refunds that were made at the processor and not by this server. */
  recordExternalRefund(tx: Tx, actor: DocumentIssuer, topup_id: string, intent: PaymentIntent): Promise<void>
  /** Completes a paid top-up and returns the lot of its credits; null if it does not exist. */
  completeWithLot(tx: Tx, actor: DocumentIssuer, topup_id: string, intent: PaymentIntent): Promise<string | null>
  /** Finds or issues the receipt of a top-up; null if it is not paid. */
  ensureReceipt(ledger: LedgerSession, issuer: DocumentIssuer, topup_id: string): Promise<BillingDocumentRow | null>
}
