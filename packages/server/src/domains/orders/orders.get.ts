import { ordersGet } from '@swath/contract/operations/orders.ts'
import { handler } from '../../engine/handler.ts'
import { requireOrder } from './access.ts'
import { wireOrder } from './order.ts'
import { countDelivered } from './store.lists.ts'
import { listChanges } from './store.ts'

export const getOrder = handler(ordersGet, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'read')
  const changes = await listChanges(call.db, call.organization, [order.id])
  const delivered = await countDelivered(call.db, call.organization, [order.id])
  return wireOrder(order, changes, delivered.get(order.id) ?? 0)
})
