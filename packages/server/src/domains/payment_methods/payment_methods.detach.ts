import { paymentMethodsDetach } from '@swath/contract/operations/payment_methods.ts'
import { handler } from '../../engine/handler.ts'
import { requireBillingRole } from '../billing/billing-roles.ts'
import { requireNotNeeded } from '../billing/cards/card-uses.ts'
import { detachCard } from '../billing/cards/detach-card.ts'
import { processorAnswer } from '../billing/cards/payment-problems.ts'
import { lockBooks } from '../ledger/books.ts'
import { requireCard } from './cards.ts'

/**
 * Our row first, so that nothing begins with the card any more; then the processor. A call that died in between, and is
 * sent again, finds a detached row and asks the processor once more.
 */
export const detachPaymentMethod = handler(paymentMethodsDetach, async (call, input) => {
  await requireBillingRole(call)
  const { organization } = call
  const { payments } = call.outside
  const card = await call.transaction(async (tx) => {
    await lockBooks(tx, organization)
    const row = await requireCard(tx, organization, input.payment_method_row_id, payments)
    if (row.detached_at !== null) return row
    await requireNotNeeded(tx, organization, row)
    await detachCard(tx, call, row)
    return row
  })
  await processorAnswer(payments.detach(card.payment_method_id))
  return { ok: true }
})
