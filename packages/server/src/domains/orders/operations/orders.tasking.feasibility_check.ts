import { ordersTaskingFeasibilityCheckOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import type { HostOpportunity } from '../../../platform/integrations/tasking-host.ts'
import { priceHostTaskForPass } from '../tasking/choose-passes.ts'
import { findOpportunities, toTaskingOpportunity, type HostTaskOpportunities } from '../tasking/find-opportunities.ts'
import { requireTaskingProductOffer } from '../tasking/tasking-products.ts'

export const handler = defineHandler(ordersTaskingFeasibilityCheckOperation, async (call, input) => {
  requireTaskingProductOffer(call.integrations, input.dataProduct)
  const { found, faults } = await findOpportunities(call, input)
  const reasons = [
    ...faults.map(({ index, message }) => `Area ${index}: ${message}`),
    ...found.flatMap((one) => findObstacle(one) ?? []),
  ]
  return {
    feasible: reasons.length === 0,
    reasons,
    opportunities: found.flatMap(({ task, opportunities }) =>
      opportunities.map((pass) => toTaskingOpportunity(priceHostTaskForPass(task, pass), pass)),
    ),
  }
})

const isFree = ({ conflict, probability }: HostOpportunity): boolean => conflict === null && probability !== 0

/** Finds the reason why an area cannot be acquired; null if it can. */
function findObstacle({ task, opportunities }: HostTaskOpportunities): string | null {
  if (opportunities.some(isFree)) return null
  if (opportunities.length === 0)
    return `Area ${task.index}: no satellite passes within the window and the constraints.`
  return `Area ${task.index}: every pass of the window is occupied or cannot satisfy the constraints.`
}
