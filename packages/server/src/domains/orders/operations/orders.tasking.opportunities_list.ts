import { ordersTaskingOpportunitiesListOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { priceHostTaskForPass } from '../tasking/choose-passes.ts'
import { findOpportunities, toTaskingOpportunity } from '../tasking/find-opportunities.ts'
import { requireTaskingProductOffer } from '../tasking/tasking-products.ts'

export const handler = defineHandler(ordersTaskingOpportunitiesListOperation, async (call, input) => {
  requireTaskingProductOffer(call.integrations, input.dataProduct)
  const { found, faults } = await findOpportunities(call, input)
  if (faults.length > 0)
    throw validationProblem(
      faults.map(({ index, code, message }) => ({ path: `featureCollection.features.${index}`, message, code })),
    )
  const opportunities = found
    .flatMap(({ task, opportunities: passes }) =>
      passes.map((pass) => toTaskingOpportunity(priceHostTaskForPass(task, pass), pass)),
    )
    .toSorted((left, right) => Date.parse(left.acquisitionStart) - Date.parse(right.acquisitionStart))
  return toCompleteList('opportunities', opportunities)
})
