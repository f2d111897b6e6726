import { ordersTaskingGroupsListOperation } from '@swath/contract/operations/orders.tasking.ts'
import type { Area } from '@swath/contract/schemas/geojson.ts'
import { hostTaskStages, type HostTaskStage } from '../../../platform/integrations/tasking-host.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { findOrder, listOrderCaptures } from '../store.ts'
import { subStatusByHostTaskStage } from '../tasking/poll-tasks.ts'
import { listTaskingOrderAreas, type TaskingOrderAreaRow } from '../tasking/store.order-areas.ts'

export const handler = defineHandler(ordersTaskingGroupsListOperation, async (call, input) => {
  const organization = input.organization_id ?? call.organization
  // An operator reads the order of any organization.
  const order = await findOrder(call.unscoped, organization, input.order_id)
  if (!order) throw new Problem('not-found', `No order has the id "${input.order_id}".`)
  const groups = await listTaskingOrderAreas(call.unscoped, organization, [order.id])
  const captures = await listOrderCaptures(call.unscoped, organization, order.id)
  const delivered = captures.filter(({ delivered_at }) => delivered_at !== null).map(({ item_id }) => item_id)
  return toCompleteList(
    'groups',
    groups.map((group) => ({
      id: group.id,
      name: group.name,
      geometry: group.geometry as unknown as Area,
      subStatus: findSubStatus(group, order.sub_status),
      item_ids: delivered.filter((item) => item === group.item_id),
      host: group.host,
      acquisitionStart: group.constraints.from,
      acquisitionEnd: group.constraints.to,
      plannedAt: group.planned_at?.toISOString() ?? null,
      creditsPrice: group.credits,
      collects: group.collects.map((collect) => ({ ...collect })),
      failureReason: group.failure_text,
    })),
  )
})

/** Finds the sub-status of its own stage; before its host has the task, that of the order. */
function findSubStatus({ stage }: TaskingOrderAreaRow, sub_status: string | null): string {
  if ((hostTaskStages as readonly string[]).includes(stage)) return subStatusByHostTaskStage[stage as HostTaskStage]
  return stage === 'waiting' ? (sub_status ?? '') : stage.toUpperCase()
}
