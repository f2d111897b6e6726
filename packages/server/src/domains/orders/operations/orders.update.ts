import { ordersUpdateOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOrder } from '../access.ts'
import { readWholeOrder } from '../read-orders.ts'
import { updateOrderLabels } from '../store.ts'

export const handler = defineHandler(ordersUpdateOperation, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'write')
  const { displayName, tags } = input
  const updated = await updateOrderLabels(call.db, call.organization, order.id, {
    display_name: displayName ?? null,
    tags: tags === undefined ? null : [...new Set(tags ?? [])],
    updated_at: call.clock.now(),
  })
  return readWholeOrder(call, updated)
})
