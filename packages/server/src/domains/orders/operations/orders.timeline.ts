import { ordersTimelineOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOrder } from '../access.ts'
import { listCaptureSummaries } from '../store.lists.ts'
import { findOrderNextPollAt, listOrderStatusChanges } from '../store.ts'
import { listSubStatusChanges } from '../tasking/store.sub-status.ts'
import { toOrderTimeline } from '../timeline.ts'

export const handler = defineHandler(ordersTimelineOperation, async (call, input) => {
  const { db, organization } = call
  const order = await requireOrder(call, input.order_id, 'read')
  return toOrderTimeline(order, {
    changes: await listOrderStatusChanges(db, organization, [order.id]),
    subStatusChanges: await listSubStatusChanges(db, organization, order.id),
    captures: await listCaptureSummaries(db, organization, [order.id], null),
    next_check_at: await findOrderNextPollAt(db, organization, order.id),
  })
})
