import type { LedgerSession } from '../../ledger/ledger-session.ts'
import { findAuthorisation } from '../store.authorisations.ts'
import { issueCardReceipt } from '../card-receipt.ts'
import type { DocumentIssuer } from '../../invoicing/documents/issue-document.ts'
import type { DocumentRow } from '../../invoicing/documents/store.invoices.ts'
import type { OwnIntent } from './own-intent.ts'
import type { TopupPayments } from './topup-payments.ts'

/** Finds or issues the receipt of a paid intent; null if it is not paid yet. */
export async function ensureReceiptOfIntent(
  ledger: LedgerSession,
  issuer: DocumentIssuer,
  ownIntent: OwnIntent,
  topups: TopupPayments,
): Promise<DocumentRow | null> {
  const { tx } = ledger
  if (ownIntent.topup_id !== null) return topups.ensureReceipt(ledger, issuer, ownIntent.topup_id)
  if (ownIntent.authorisation_id === null) return null
  const row = await findAuthorisation(tx, ownIntent.organization, ownIntent.authorisation_id)
  return row?.state === 'captured' ? issueCardReceipt(ledger, issuer.seller, row) : null
}
