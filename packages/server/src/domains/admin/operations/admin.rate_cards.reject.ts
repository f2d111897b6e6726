import { adminRateCardsRejectOperation } from '@swath/contract/operations/admin.rate_cards.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { decideRateCard } from '../rate-cards.ts'

export const handler = defineHandler(adminRateCardsRejectOperation, (call, input) =>
  decideRateCard(call, input, 'rejected'),
)
