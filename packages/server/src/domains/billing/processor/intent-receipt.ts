import type { LedgerSession } from '../../ledger/ledger-session.ts'
import { findAuthorisation } from '../cards/store.authorisations.ts'
import { issueCardReceipt } from '../documents/card-receipt.ts'
import type { DocumentRow, DocumentIssuer } from '../documents/issue-document.ts'
import { issueTopupReceipt } from '../documents/receipts.ts'
import { findTopup } from '../topups/store.topups.ts'
import type { OwnIntent } from './own-intent.ts'

/** Finds or issues the receipt of a paid intent; null if it is not paid yet. */
export async function ensureReceiptOfIntent(
  ledger: LedgerSession,
  issuer: DocumentIssuer,
  ownIntent: OwnIntent,
): Promise<DocumentRow | null> {
  const { tx } = ledger
  if (ownIntent.topup_id !== null) {
    const topup = await findTopup(tx, ownIntent.organization, ownIntent.topup_id)
    return topup?.state === 'succeeded' ? issueTopupReceipt(ledger, issuer.seller, topup) : null
  }
  if (ownIntent.authorisation_id === null) return null
  const row = await findAuthorisation(tx, ownIntent.organization, ownIntent.authorisation_id)
  return row?.state === 'captured' ? issueCardReceipt(ledger, issuer.seller, row) : null
}
