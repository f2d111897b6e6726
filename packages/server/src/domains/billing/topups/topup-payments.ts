import type { Tx } from '../../../platform/database/database.ts'
import type { PaymentIntent } from '../../../platform/integrations/payments/payments.ts'
import type { TopupPaymentEffects } from '../../card-payments/processor/topup-payments.ts'
import type { DocumentIssuer } from '../../invoicing/documents/issue-document.ts'
import { recordExternalRefund } from './external-refund.ts'
import { findTopup } from './store.topups.ts'
import { issueTopupReceipt } from './topup-receipts.ts'
import { completeTopup, enqueueCloseTopup, failTopup } from './topup.ts'

/** Applies the intent to its top-up; does nothing while the bank or the cardholder has to act. */
async function applyIntent(tx: Tx, actor: DocumentIssuer, id: string, intent: PaymentIntent): Promise<void> {
  if (intent.status === 'succeeded') await completeTopup(tx, actor, id, intent)
  const reason = { code: intent.decline_code ?? intent.status, intent: intent.id }
  if (intent.status === 'canceled') await failTopup(tx, actor, id, reason)
  if (intent.status !== 'requires_payment_method') return
  if (await failTopup(tx, actor, id, reason)) await enqueueCloseTopup(tx, actor, id)
}

/** The effects of events of the processor on top-ups. */
export const topupPaymentEffects: TopupPaymentEffects = {
  applyIntent,
  recordExternalRefund,
  completeWithLot: async (tx, actor, topup_id, intent) =>
    (await completeTopup(tx, actor, topup_id, intent))?.lot_id ?? null,
  ensureReceipt: async (ledger, issuer, topup_id) => {
    const topup = await findTopup(ledger.tx, ledger.actor.organization, topup_id)
    return topup?.state === 'succeeded' ? issueTopupReceipt(ledger, issuer.seller, topup) : null
  },
}
