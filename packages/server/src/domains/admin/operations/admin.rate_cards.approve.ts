import { adminRateCardsApproveOperation } from '@swath/contract/operations/admin.rate_cards.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { decideRateCard } from '../rate-cards.ts'

export const handler = defineHandler(adminRateCardsApproveOperation, (call, input) =>
  decideRateCard(call, input, 'approved'),
)
