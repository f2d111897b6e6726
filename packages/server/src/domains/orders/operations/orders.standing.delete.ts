import { ordersStandingDeleteOperation } from '@swath/contract/operations/orders.standing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireStandingOrder, standingOrderNotFound } from '../standing/standing-order.ts'
import { deleteStandingOrderRow } from '../standing/store.standing-orders.ts'

export const handler = defineHandler(ordersStandingDeleteOperation, async (call, input) => {
  const { id } = await requireStandingOrder(call, input.standing_order_id, 'write', { allowArchived: true })
  const isDeleted = await call.transaction((tx) => deleteStandingOrderRow(tx, call.organization, id))
  if (!isDeleted) throw standingOrderNotFound(id)
  return { ok: true, id }
})
