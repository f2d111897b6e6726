import { adminRateCardsRejectOperation } from '@swath/contract/operations/admin.rate_cards.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { settleRateCard, toRateCards } from '../rate-cards.ts'

export const rejectRateCard = defineHandler(adminRateCardsRejectOperation, async (call, input) => {
  const [card] = await toRateCards(call, call.unscoped, [await settleRateCard(call, input, 'rejected')])
  return card!
})
