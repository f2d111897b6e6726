import { ordersTaskingEstimateOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { creditsToAud } from '../../catalog/price.ts'
import { priceHostTasksAtPasses } from '../tasking/choose-passes.ts'
import { mergeTaskingAreaParameters } from '../tasking/place-tasking-order.ts'
import { priceHostTasks, type PricedHostTask } from '../tasking/task-requests.ts'

export const handler = defineHandler(ordersTaskingEstimateOperation, async (call, { groups = [] }) => {
  const areas = groups.map((group) => mergeTaskingAreaParameters(group, {}, null))
  const { tasks, faults } = await priceHostTasks(call, areas)
  const priced = await priceHostTasksAtPasses(call, tasks.filter(hasPrice))
  const unpriced = tasks.filter((task) => !hasPrice(task)).map(toUnpriced)
  const totalCredits = priced.reduce((sum, { credits }) => sum + credits, 0)
  return {
    groups: priced.map(({ index, name, charged_km2, credits }) => ({
      index,
      name,
      aoi_km2: charged_km2,
      credits,
      aud: creditsToAud(credits),
    })),
    errors: [...faults, ...unpriced].toSorted((left, right) => left.index - right.index),
    totalAud: creditsToAud(totalCredits),
    totalCredits,
  }
})

const hasPrice = ({ offer }: PricedHostTask): boolean => offer.product.workflow !== 'quotation'

const toUnpriced = ({ index, offer }: PricedHostTask) => ({
  index,
  code: 'quotation-required',
  message: `"${offer.product.title}" is sold by quotation: its price is offered after the order is placed.`,
})
