import { paymentMethodsSetDefault } from '@swath/contract/operations/payment_methods.ts'
import { handler } from '../../engine/handler.ts'
import { requireBillingRole } from '../billing/billing-roles.ts'
import { processorAnswer } from '../billing/cards/payment-problems.ts'
import { lockBooks } from '../ledger/books.ts'
import { requireAttached, withCustomer } from './cards.ts'
import { chooseDefault } from './store.ts'

export const setDefaultPaymentMethod = handler(paymentMethodsSetDefault, async (call, input) => {
  await requireBillingRole(call)
  const { db, organization } = call
  const { payments } = call.outside
  const card = await requireAttached(db, organization, input.payment_method_row_id, payments)
  const { customer } = await withCustomer(db, organization, card)
  await processorAnswer(payments.setDefault(customer, card.payment_method_id))
  await call.transaction(async (tx) => {
    await lockBooks(tx, organization)
    // It may have been detached during the request to the processor.
    await requireAttached(tx, organization, card.id, payments)
    await chooseDefault(tx, organization, card)
  })
  return { id: card.id, isDefault: true }
})
