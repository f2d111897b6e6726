import { ordersQuoteOperation } from '@swath/contract/operations/orders.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { creditsToAud } from '../../catalog/price.ts'
import { listRequiredEulas } from '../../eulas/required-eulas.ts'
import { toEulaProducts } from '../agreements.ts'
import { toEstimateLines } from '../estimate-lines.ts'
import { rejectCaptureErrors } from '../place-archive-order.ts'
import { lockPrice } from '../price-lock.ts'
import { quoteForCaller } from '../quote.ts'
import type { QuoteRow } from '../store.quotes.ts'
import { priceRequest } from '../tasking/place-tasking-order.ts'
import { lockTaskPrices } from '../tasking/quote-tasks.ts'

type Input = NonNullable<(typeof ordersQuoteOperation)['types']>['input']

export const quoteOrder = defineHandler(ordersQuoteOperation, async (call, input) => {
  const { captures, groups } = input
  if (captures && groups) throw validationProblem([{ path: 'groups', message: 'excludes `captures`' }])
  if (groups) return quoteTaskingOrder(call, input)
  if (!captures) throw validationProblem([{ path: 'captures', message: 'is required without `groups`' }])
  return quoteArchiveOrder(call, { ...input, captures })
})

async function quoteArchiveOrder(call: Call, input: Input & Required<Pick<Input, 'captures'>>) {
  const now = call.clock.now()
  const quote = await quoteForCaller(call, input, now)
  rejectCaptureErrors(input.captures, quote)
  return {
    ...toOrderQuote(await lockPrice(call, quote, now)),
    lines: toEstimateLines(quote),
    eulas: await listRequiredEulas(call, toEulaProducts(quote)),
  }
}

async function quoteTaskingOrder(call: Call, input: Input) {
  const tasks = await priceRequest(call, input)
  const products = tasks.map(({ offer: { host, product } }) => ({ host, collection: product }))
  return {
    ...toOrderQuote(await lockTaskPrices(call, tasks, call.clock.now())),
    lines: [],
    eulas: await listRequiredEulas(call, products),
  }
}

const toOrderQuote = ({ id, expires_at, groups, total_credits }: QuoteRow) => ({
  quote_id: id,
  expires_at: expires_at.toISOString(),
  groups: [...groups],
  total_aud: creditsToAud(total_credits),
  total_credits,
})
