import { adminRateCardsApproveOperation } from '@swath/contract/operations/admin.rate_cards.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { settleRateCard } from '../rate-cards.ts'

export const handler = defineHandler(adminRateCardsApproveOperation, (call, input) =>
  settleRateCard(call, input, 'approved'),
)
