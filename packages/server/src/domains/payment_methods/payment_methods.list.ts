import { paymentMethodsList } from '@swath/contract/operations/payment_methods.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { paymentMethodOf } from './cards.ts'
import { listCards } from './store.ts'

export const listPaymentMethods = handler(paymentMethodsList, async (call) => {
  const cards = await listCards(call.db, call.organization, call.outside.payments.env)
  return { payment_methods: cards.map(paymentMethodOf), ...wholeWindow(cards) }
})
