import { ordersTimelineOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOrder } from '../access.ts'
import { listCaptureSummaries } from '../store.lists.ts'
import { findNextPollAt, listStatusChanges } from '../store.ts'
import { listSubStatusChanges } from '../tasking/store.sub-status.ts'
import { toTimeline } from '../timeline.ts'

export const handler = defineHandler(ordersTimelineOperation, async (call, input) => {
  const { db, organization } = call
  const order = await requireOrder(call, input.order_id, 'read')
  return toTimeline(order, {
    changes: await listStatusChanges(db, organization, [order.id]),
    subStatusChanges: await listSubStatusChanges(db, organization, order.id),
    captures: await listCaptureSummaries(db, organization, [order.id], null),
    next_check_at: await findNextPollAt(db, organization, order.id),
  })
})
