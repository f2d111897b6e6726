import { paymentMethodsSetDefaultOperation } from '@swath/contract/operations/payment_methods.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { withPaymentProblems } from '../../card-payments/payment-problems.ts'
import { lockLedger } from '../../ledger/ledger-session.ts'
import { requireAttachedCard, requireChargeableCard } from '../cards.ts'
import { updateDefaultCard } from '../store.ts'

export const handler = defineHandler(paymentMethodsSetDefaultOperation, async (call, input) => {
  const { db, organization } = call
  const { payments } = call.integrations
  const card = await requireAttachedCard(db, organization, input.payment_method_row_id, payments)
  const { customer } = await requireChargeableCard(db, organization, card)
  await withPaymentProblems(payments.setDefault(customer, card.payment_method_id))
  await call.transaction(async (tx) => {
    await lockLedger(tx, organization)
    // It may have been detached during the request to the processor.
    await requireAttachedCard(tx, organization, card.id, payments)
    await updateDefaultCard(tx, organization, card)
  })
  return { id: card.id, isDefault: true }
})
