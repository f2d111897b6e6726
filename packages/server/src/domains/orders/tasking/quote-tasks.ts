import type { Call } from '../../../engine/call.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Integrations } from '../../../platform/integrations/integrations.ts'
import { creditsToAud } from '../../catalog/price.ts'
import { requireOpenQuoteRow, storeOrderQuote } from '../price-lock.ts'
import type { QuotedHostTaskRow, OrderQuoteRow } from '../store.quotes.ts'
import { readProductTerms } from '../../contracts/rates.ts'
import type { ProductTermsByName } from '../../rate-cards/product-terms.ts'
import { applyTermsToOffer, findTaskingOffer } from './tasking-products.ts'
import { priceHostTasksAtPasses } from './choose-passes.ts'
import { rejectHostTaskRequestErrors, type PricedHostTask, type HostTaskRequestError } from './task-requests.ts'

/**
 * Stores the prices of areas, which an order may name until they expire. Throws `quota-exceeded`, and `validation` for an
 * area whose price is offered after the order, by a study or a quotation.
 */
export async function storeTaskingQuote(
  call: Call,
  requested: readonly PricedHostTask[],
  now: OrganizationTime,
): Promise<OrderQuoteRow> {
  const unpriced = requested.filter(({ offer }) => offer.product.workflow !== 'direct').map(toUnpriced)
  if (unpriced.length > 0) rejectHostTaskRequestErrors(unpriced)
  const tasks = await priceHostTasksAtPasses(call, requested)
  const groups = tasks.map(({ charged_km2, credits }) => ({
    captures: [],
    aoi_km2: charged_km2,
    credits,
    aud: creditsToAud(credits),
  }))
  const total_credits = tasks.reduce((sum, { credits }) => sum + credits, 0)
  return storeOrderQuote(call, { captures: [], tasks: tasks.map(toTaskRow), groups, total_credits }, now)
}

const toUnpriced = ({ index, offer }: PricedHostTask): HostTaskRequestError => ({
  index,
  code: 'price-not-known',
  message: `The price of "${offer.product.title}" is offered after the order is placed.`,
})

const toTaskRow = ({ offer, ...task }: PricedHostTask): QuotedHostTaskRow => ({
  ...task,
  host: offer.host.name,
  product: offer.product.id,
})

/**
 * The areas of an open quote with its prices, in their windows from now on. Throws what `requireOpenQuoteRow` throws, and
 * `validation` for a quote of captures or a window that is over.
 */
export async function requireQuotedHostTasks(call: Call, id: string, now: OrganizationTime): Promise<PricedHostTask[]> {
  const { tasks } = await requireOpenQuoteRow(call, id, now)
  if (!tasks) throw validationProblem([{ path: 'quote_id', message: 'is for captures of archives' }])
  const products = await readProductTerms(call)
  return tasks.map((task) => toPricedTask({ integrations: call.integrations, products }, task, now))
}

function toPricedTask(
  {
    integrations,
    products,
  }: { readonly integrations: Pick<Integrations, 'hosts'>; readonly products: ProductTermsByName },
  { host, product, ...task }: QuotedHostTaskRow,
  now: OrganizationTime,
): PricedHostTask {
  const declared = findTaskingOffer(integrations, `${host}:${product}`)
  const offer = declared && applyTermsToOffer(declared, products)
  if (!offer)
    throw new Problem('invalid-state', `The product "${host}:${product}" of the quote is not offered any more.`)
  const { from, to } = task.constraints
  if (Date.parse(to) <= now.getTime())
    rejectHostTaskRequestErrors([
      { index: task.index, code: 'invalid-window', message: 'The acquisition window is past.' },
    ])
  const begin = new Date(Math.max(Date.parse(from), now.getTime())).toISOString()
  return { ...task, offer, constraints: { ...task.constraints, from: begin } }
}
