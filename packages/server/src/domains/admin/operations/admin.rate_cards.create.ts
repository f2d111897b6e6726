import { adminRateCardsCreateOperation } from '@swath/contract/operations/admin.rate_cards.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requestRateCard, toRateCards } from '../rate-cards.ts'

export const handler = defineHandler(adminRateCardsCreateOperation, async (call, input) => {
  const [card] = await toRateCards(call, call.unscoped, [await requestRateCard(call, input)])
  return card!
})
