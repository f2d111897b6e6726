import { adminRateCardsRejectOperation } from '@swath/contract/operations/admin.rate_cards.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { settleVersion } from '../effective-versions.ts'
import { rateCardKind, toRateCards } from '../rate-cards.ts'

export const rejectRateCard = defineHandler(
  adminRateCardsRejectOperation,
  async (call, { rate_card_id: id, reason }) => {
    const decided = await settleVersion(call, rateCardKind, { id, reason, status: 'rejected' })
    const [card] = await toRateCards(call, call.unscoped, [decided])
    return card!
  },
)
