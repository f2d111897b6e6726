import { ordersArchiveEstimate } from '@swath/contract/operations/orders.ts'
import { handler } from '../../engine/handler.ts'
import { validationProblem } from '../../engine/problem.ts'
import { audOf } from '../catalog/price.ts'
import { quoteFor } from './quote.ts'

export const estimateArchive = handler(ordersArchiveEstimate, async (call, input) => {
  if (!input.captures) throw validationProblem([{ path: 'captures', message: 'must have at least one capture' }])
  const { captures, splitByDate } = input
  const quote = await quoteFor(call, { captures, splitByDate }, call.clock.now())
  return {
    groups: [...quote.groups],
    errors: [...quote.errors],
    total_aud: audOf(quote.total_credits),
    total_credits: quote.total_credits,
  }
})
