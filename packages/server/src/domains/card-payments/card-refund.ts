import type { Tx } from '../../platform/database/database.ts'
import type { PaymentIntent } from '../../platform/integrations/payments/payments.ts'
import { emitEvent } from '../events/emit.ts'
import { flushLedgerSession, openLedgerSession } from '../ledger/ledger-session.ts'
import { recordRefundPayout } from '../ledger/reverse-credits.ts'
import { issueCardReceipt } from './card-receipt.ts'
import { issueReceiptCreditNote, createRefundLine } from '../invoicing/documents/credit-receipt.ts'
import type { DocumentIssuer } from '../invoicing/documents/issue-document.ts'
import { updateCardAuthorisationRefundedCredits, findCardAuthorisation } from './store.authorisations.ts'

/**
 * Records a refund that was made at the processor for a card payment, and issues a credit note. Compares totals, so that
 * repeated events do no harm. Throws if the capture is not recorded yet; the task then retries.
 */
export async function recordCardRefund(
  tx: Tx,
  actor: DocumentIssuer,
  id: string,
  intent: PaymentIntent,
): Promise<void> {
  const ledger = await openLedgerSession(tx, actor)
  const row = await findCardAuthorisation(tx, actor.organization, id)
  const credits = row ? intent.refunded_cents - row.refunded_credits : 0
  if (!row || credits <= 0) return
  if (row.state !== 'captured') throw new Error('the refund of a card payment arrived before its capture was recorded')
  const reference = { type: 'authorisation', id: `${id}:${intent.refunded_cents}` }
  recordRefundPayout(ledger, { kind: 'refund', amount_credits: credits, reference, note: intent.id })
  const receipt = await issueCardReceipt(ledger, actor.seller, row)
  const order_id = row.reference_type === 'order' ? row.reference_id : null
  const line = createRefundLine('Refunded to the card', order_id)
  const note = await issueReceiptCreditNote(ledger, actor.seller, receipt, { cents: credits, reference, line })
  await flushLedgerSession(ledger)
  await updateCardAuthorisationRefundedCredits(tx, actor.organization, id, credits)
  const { reference_type: entity_type, reference_id: entity_id } = row
  const data = { aud: credits / 100, payment_intent_id: intent.id, credit_note_id: note?.id ?? null }
  await emitEvent(tx, actor, { kind: 'payment.refunded', entity_type, entity_id, data })
}
