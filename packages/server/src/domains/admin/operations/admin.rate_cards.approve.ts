import { adminRateCardsApproveOperation } from '@swath/contract/operations/admin.rate_cards.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { settleRateCard, toRateCards } from '../rate-cards.ts'

export const approveRateCard = defineHandler(adminRateCardsApproveOperation, async (call, input) => {
  const [card] = await toRateCards(call, call.unscoped, [await settleRateCard(call, input, 'approved')])
  return card!
})
