import type { Tx } from '../../../platform/database/database.ts'
import type { PaymentIntent } from '../../../platform/integrations/payments/payments.ts'
import type { Actor } from '../../../engine/actor.ts'
import { emitEvent } from '../../events/emit.ts'
import type { DocumentIssuer } from '../../invoicing/documents/issue-document.ts'
import type { BillingDocumentRow } from '../../invoicing/documents/store.invoices.ts'
import { flushLedgerSession, openLedgerSession } from '../../ledger/ledger-session.ts'
import { recordRefundPayout, reverseCredits } from '../../ledger/reverse-credits.ts'
import { updateTopupRefundedCredits } from './store.topups.ts'
import { issueTopupCreditNote } from './topup-receipts.ts'
import { completeTopup } from './topup.ts'

/**
 * Compares the refunded total at the processor with the recorded one, which includes refunds in progress; the difference
 * was refunded externally. Reverses its credits as far as the wallet covers them, and issues a credit note. Comparing
 * totals makes the result independent of the number and order of events.
 */
export async function recordExternalRefund(
  tx: Tx,
  actor: DocumentIssuer,
  topup_id: string,
  intent: PaymentIntent,
): Promise<void> {
  // The refund event may arrive before the charge event, so complete the top-up first.
  const row = await completeTopup(tx, actor, topup_id, intent)
  const ledger = await openLedgerSession(tx, actor)
  const credits = row ? intent.refunded_cents - row.refunded_credits : 0
  if (!row || credits <= 0) return
  const reference = { type: 'topup', id: topup_id }
  const note = intent.id
  const { lots } = reverseCredits(ledger, {
    kind: 'refund',
    amount_credits: credits,
    firstLotId: row.lot_id,
    reference,
    note,
  })
  recordRefundPayout(ledger, { kind: 'payment', amount_credits: credits, reference, note })
  const creditNote = await issueTopupCreditNote(ledger, {
    seller: actor.seller,
    topup: row,
    credits,
    reference: {
      type: 'topup',
      id: `${topup_id}:${intent.refunded_cents}`,
    },
  })
  await flushLedgerSession(ledger)
  await updateTopupRefundedCredits(tx, actor.organization, topup_id, credits)
  const taken_credits = lots.reduce((sum, lot) => sum + lot.amount_credits, 0)
  await emitTopupRefunded(tx, actor, topup_id, { credits, taken_credits, note: creditNote })
}

/** Emits the refunded amount, and how much of it the wallet covered. */
export function emitTopupRefunded(
  tx: Tx,
  actor: Actor,
  entity_id: string,
  { credits, taken_credits, note }: { credits: number; taken_credits: number; note: BillingDocumentRow | null },
): Promise<void> {
  const data = { credits, aud: credits / 100, taken_credits, credit_note_id: note?.id ?? null }
  return emitEvent(tx, actor, { kind: 'topup.refunded', entity_type: 'topup', entity_id, data })
}
