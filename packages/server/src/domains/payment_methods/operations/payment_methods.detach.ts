import { paymentMethodsDetachOperation } from '@swath/contract/operations/payment_methods.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireCardNotInUse } from '../../card-payments/card-uses.ts'
import { detachCard } from '../../card-payments/detach-card.ts'
import { withPaymentProblems } from '../../card-payments/payment-problems.ts'
import { lockLedger } from '../../ledger/ledger-session.ts'
import { requireSavedCard } from '../cards.ts'

/**
 * Marks the row first, so that no new charge uses the card, then detaches it at the processor. A retry after a crash in
 * between finds a detached row and repeats the request to the processor.
 */
export const handler = defineHandler(paymentMethodsDetachOperation, async (call, input) => {
  const { organization } = call
  const { payments } = call.integrations
  const card = await call.transaction(async (tx) => {
    await lockLedger(tx, organization)
    const row = await requireSavedCard(tx, organization, input.payment_method_row_id, payments)
    if (row.detached_at !== null) return row
    await requireCardNotInUse(tx, organization, row)
    await detachCard(tx, call, row)
    return row
  })
  await withPaymentProblems(payments.detach(card.payment_method_id))
  return { ok: true }
})
