import { adminRateCardsCreateOperation } from '@swath/contract/operations/admin.rate_cards.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requestRateCardApproval, toRateCards } from '../rate-cards.ts'

export const handler = defineHandler(adminRateCardsCreateOperation, async (call, input) => {
  const [card] = await toRateCards(call, call.unscoped, [await requestRateCardApproval(call, input)])
  return card!
})
