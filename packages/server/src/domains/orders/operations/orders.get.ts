import { ordersGetOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOrder } from '../access.ts'
import { toOrder } from '../order.ts'
import { countDeliveredItems } from '../store.lists.ts'
import { listStatusChanges } from '../store.ts'

export const getOrder = defineHandler(ordersGetOperation, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'read')
  const changes = await listStatusChanges(call.db, call.organization, [order.id])
  const delivered = await countDeliveredItems(call.db, call.organization, [order.id])
  return toOrder(order, changes, delivered.get(order.id) ?? 0)
})
