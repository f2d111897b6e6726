import { paymentMethodsListOperation } from '@swath/contract/operations/payment_methods.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { toPaymentMethod } from '../cards.ts'
import { listCards } from '../store.ts'

export const handler = defineHandler(paymentMethodsListOperation, async (call) => {
  const cards = await listCards(call.db, call.organization, call.integrations.payments.env)
  return toCompleteList('payment_methods', cards.map(toPaymentMethod))
})
