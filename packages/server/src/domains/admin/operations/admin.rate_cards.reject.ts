import { adminRateCardsRejectOperation } from '@swath/contract/operations/admin.rate_cards.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { settleRateCard } from '../rate-cards.ts'

export const rejectRateCard = defineHandler(adminRateCardsRejectOperation, (call, input) =>
  settleRateCard(call, input, 'rejected'),
)
