import { ordersQuoteOperation } from '@swath/contract/operations/orders.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { readPriceRates } from '../../contracts/rates.ts'
import { creditsToAud } from '../../catalog/price.ts'
import { listRequiredEulas } from '../../eulas/required-eulas.ts'
import { toEulaProducts } from '../agreements.ts'
import { toEstimateLines } from '../estimate-lines.ts'
import { requireNoCaptureErrors } from '../place-archive-order.ts'
import { storeCaptureQuote } from '../price-lock.ts'
import { quoteCapturesAtRates } from '../quote.ts'
import type { OrderQuoteRow } from '../store.quotes.ts'
import { priceTaskingRequest } from '../tasking/place-tasking-order.ts'
import { storeTaskingQuote } from '../tasking/quote-tasks.ts'
import { requireTaskingTemplate } from '../tasking/templates.ts'

type Input = NonNullable<(typeof ordersQuoteOperation)['types']>['input']

export const handler = defineHandler(ordersQuoteOperation, async (call, input) => {
  const { captures } = input
  if (!captures && !input.groups)
    throw validationProblem([{ path: 'captures', message: 'is required without `groups`' }])
  if (!captures) {
    rejectArchiveFields(input)
    return quoteTaskingOrder(call, input)
  }
  await rejectTaskingFields(call, input)
  return quoteArchiveOrder(call, { ...input, captures })
})

const taskingFields = ['groups', 'dataProduct', 'template_id', 'params'] as const

/** Captures have all that their price needs. Throws `not-found` for an unknown template, as for every id that is named. */
async function rejectTaskingFields(call: Call, input: Input): Promise<void> {
  if (input.template_id) await requireTaskingTemplate(call, input.template_id)
  const given = taskingFields.filter((name) => (input[name] ?? null) !== null)
  if (given.length > 0) throw validationProblem(given.map((path) => ({ path, message: 'excludes `captures`' })))
}

/** Rejects fields of archive orders: nobody holds a future acquisition yet, and its licence is that of the product. */
function rejectArchiveFields({ exclude_owned, licenseType }: Input): void {
  const given = [
    ...(exclude_owned ? ['exclude_owned'] : []),
    ...((licenseType ?? null) === null ? [] : ['licenseType']),
  ]
  if (given.length > 0) throw validationProblem(given.map((path) => ({ path, message: 'excludes `groups`' })))
}

async function quoteArchiveOrder(call: Call, input: Input & Required<Pick<Input, 'captures'>>) {
  const now = call.clock.now()
  const rates = await readPriceRates(call.db, call.organization, now)
  const quote = await quoteCapturesAtRates(call, input, rates)
  requireNoCaptureErrors(input.captures, quote)
  return {
    ...toOrderQuote(await storeCaptureQuote(call, quote, now)),
    lines: toEstimateLines(quote),
    eulas: await listRequiredEulas(call, toEulaProducts(quote, rates.products)),
  }
}

async function quoteTaskingOrder(call: Call, input: Input) {
  const tasks = await priceTaskingRequest(call, input)
  const products = tasks.map(({ offer: { host, product } }) => ({ host, collection: product }))
  return {
    ...toOrderQuote(await storeTaskingQuote(call, tasks, call.clock.now())),
    lines: [],
    eulas: await listRequiredEulas(call, products),
  }
}

const toOrderQuote = ({ id, expires_at, groups, total_credits }: OrderQuoteRow) => ({
  quote_id: id,
  expires_at: expires_at.toISOString(),
  groups: [...groups],
  total_aud: creditsToAud(total_credits),
  total_credits,
})
