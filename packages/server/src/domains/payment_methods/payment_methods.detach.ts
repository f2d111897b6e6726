import { paymentMethodsDetach } from '@swath/contract/operations/payment_methods.ts'
import { handler } from '../../engine/handler.ts'
import { requireBillingRole } from '../billing/billing-roles.ts'
import { dropCardWarning, requireNotNeeded } from '../billing/cards/card-uses.ts'
import { processorAnswer } from '../billing/cards/payment-problems.ts'
import { emit } from '../events/emit.ts'
import { lockBooks } from '../ledger/books.ts'
import { cardData, requireCard } from './cards.ts'
import { markDetached } from './store.ts'

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
    const now = call.clock.now(organization)
    const row = await requireCard(tx, organization, input.payment_method_row_id, payments)
    if (row.detached_at !== null) return row
    await requireNotNeeded(tx, organization, row)
    await markDetached(tx, organization, row.id, now)
    await dropCardWarning(tx, organization, row.id)
    await emit(tx, call, {
      kind: 'payment_method.detached',
      entity_type: 'payment_method',
      entity_id: row.id,
      data: cardData(row),
    })
    return row
  })
  await processorAnswer(payments.detach(card.payment_method_id))
  return { ok: true }
})
