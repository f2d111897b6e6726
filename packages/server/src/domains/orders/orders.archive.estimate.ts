import { ordersArchiveEstimate } from '@swath/contract/operations/orders.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { handler } from '../../engine/handler.ts'
import { validationProblem } from '../../engine/problem.ts'
import { negotiatedRates } from '../billing/commitments/rates.ts'
import { audOf } from '../catalog/price.ts'
import { quoteCaptures } from './quote.ts'

export const estimateArchive = handler(ordersArchiveEstimate, async (call, input) => {
  if (!input.captures) throw validationProblem([{ path: 'captures', message: 'must name at least one capture' }])
  const rates = await negotiatedRates(call.db, call.organization, call.clock.now())
  const quote = await quoteCaptures(
    call.outside,
    input.captures,
    input.splitByDate ?? false,
    call.signal,
    ownerOf(call),
    rates,
  )
  return {
    groups: [...quote.groups],
    errors: [...quote.errors],
    total_aud: audOf(quote.total_credits),
    total_credits: quote.total_credits,
  }
})
