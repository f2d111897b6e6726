import { ordersArchivePlace } from '@swath/contract/operations/orders.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { requireOrder } from './access.ts'
import { placedOrder } from './order.ts'
import { placeArchiveOrder, requirePerson } from './place.ts'
import { listCaptures } from './store.ts'

export const placeArchive = handler(ordersArchivePlace, async (call, input) => {
  requirePerson(call)
  const known = call.claim?.data['order_id']
  const { order, later } = typeof known === 'string' ? await again(call, known) : await placeArchiveOrder(call, input)
  return placedOrder(order, later ? 'awaiting_data' : 'processing')
})

/** The order that an earlier attempt of the same idempotent request has written. */
async function again(call: Call, id: string) {
  const order = await requireOrder(call, id, 'read')
  const captures = await listCaptures(call.db, call.organization, id)
  const later = captures.some((capture) => call.outside.hosts.get(capture.host)?.delivers_later ?? false)
  return { order, later }
}
