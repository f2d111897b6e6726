import { ordersGetOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOrder } from '../access.ts'
import { readWholeOrder } from '../read-orders.ts'

export const handler = defineHandler(ordersGetOperation, async (call, input) =>
  readWholeOrder(call, await requireOrder(call, input.order_id, 'read')),
)
