import { ordersQuoteOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { creditsToAud } from '../../catalog/price.ts'
import { listRequiredEulas } from '../../eulas/required-eulas.ts'
import { toEulaProducts } from '../agreements.ts'
import { toEstimateLines } from '../estimate-lines.ts'
import { rejectCaptureErrors } from '../place-archive-order.ts'
import { lockPrice } from '../price-lock.ts'
import { quoteForCaller } from '../quote.ts'

export const quoteArchiveOrder = defineHandler(ordersQuoteOperation, async (call, input) => {
  const { captures } = input
  const now = call.clock.now()
  const quote = await quoteForCaller(call, input, now)
  rejectCaptureErrors(captures, quote)
  const { id, expires_at } = await lockPrice(call, quote, now)
  return {
    quote_id: id,
    expires_at: expires_at.toISOString(),
    groups: [...quote.groups],
    lines: toEstimateLines(quote),
    eulas: await listRequiredEulas(call, toEulaProducts(quote)),
    total_aud: creditsToAud(quote.total_credits),
    total_credits: quote.total_credits,
  }
})
