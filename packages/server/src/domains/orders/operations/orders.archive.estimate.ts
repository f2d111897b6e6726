import { ordersArchiveEstimateOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { readPriceRates } from '../../contracts/rates.ts'
import { creditsToAud } from '../../catalog/price.ts'
import { listRequiredEulas } from '../../eulas/required-eulas.ts'
import { toEulaProducts } from '../agreements.ts'
import { toEstimateLines } from '../estimate-lines.ts'
import { quoteCapturesAtRates } from '../quote.ts'

export const handler = defineHandler(ordersArchiveEstimateOperation, async (call, input) => {
  if (!input.captures) throw validationProblem([{ path: 'captures', message: 'must have at least one capture' }])
  const { captures } = input
  const rates = await readPriceRates(call.db, call.organization, call.clock.now())
  const quote = await quoteCapturesAtRates(call, { ...input, captures }, rates)
  return {
    groups: [...quote.groups],
    lines: toEstimateLines(quote),
    errors: [...quote.errors],
    eulas: await listRequiredEulas(call, toEulaProducts(quote, rates.products)),
    total_aud: creditsToAud(quote.total_credits),
    total_credits: quote.total_credits,
  }
})
