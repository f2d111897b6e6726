import { paymentMethodsDetach } from '@swath/contract/operations/payment_methods.ts'
import { handler } from '../../engine/handler.ts'
import { requireBillingRole } from '../billing/billing-roles.ts'
import { requireNotNeeded } from '../billing/cards/card-uses.ts'
import { detachCard } from '../billing/cards/detach-card.ts'
import { processorAnswer } from '../billing/cards/payment-problems.ts'
import { lockBooks } from '../ledger/books.ts'
import { requireCard } from './cards.ts'

/**
 * Marks the row first, so that no new charge uses the card, then detaches it at the processor. A retry after a crash in
 * between finds a detached row and repeats the request to the processor.
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
