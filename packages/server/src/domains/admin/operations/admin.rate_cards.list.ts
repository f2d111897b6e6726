import { adminRateCardsListOperation } from '@swath/contract/operations/admin.rate_cards.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { listRateCards } from '../../rate-cards/store.ts'
import { toRateCards } from '../rate-cards.ts'

export const handler = defineHandler(adminRateCardsListOperation, async (call, input) => {
  const { product = null, status = null, limit, offset } = input
  const { rows, total } = await listRateCards(call.unscoped, { product, status, limit, offset })
  return toListPage('rate_cards', { rows: await toRateCards(call, call.unscoped, rows), total }, input)
})
