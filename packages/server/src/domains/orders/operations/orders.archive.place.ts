import { ordersArchivePlaceOperation } from '@swath/contract/operations/orders.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { requireOrder } from '../access.ts'
import { toPlacedOrder } from '../order.ts'
import { placeArchiveOrder, rejectApiKey, type ArchiveOrderRequest } from '../place-archive-order.ts'
import { listOrderCaptures } from '../store.ts'

export const placeArchive = defineHandler(ordersArchivePlaceOperation, async (call, input) => {
  rejectApiKey(call)
  if (input.dry_run) return executeDryRun(call, (dryRun) => place(dryRun, input))
  return place(call, input)
})

async function place(call: Call, request: ArchiveOrderRequest) {
  const claimedOrderId = call.claim?.recoveryData['order_id']
  const { order, isDeferred } =
    typeof claimedOrderId === 'string'
      ? await resumePlacement(call, claimedOrderId)
      : await placeArchiveOrder(call, request)
  return toPlacedOrder(order, isDeferred ? 'awaiting_data' : 'processing')
}

/** The order that an earlier attempt of the same idempotent request has written. */
async function resumePlacement(call: Call, id: string) {
  const order = await requireOrder(call, id, 'read')
  const captures = await listOrderCaptures(call.db, call.organization, id)
  const isDeferred = captures.some((capture) => call.integrations.hosts.get(capture.host)?.delivers_later ?? false)
  return { order, isDeferred }
}
