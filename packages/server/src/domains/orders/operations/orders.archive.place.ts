import { ordersArchivePlaceOperation } from '@swath/contract/operations/orders.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { toPlacedOrder } from '../order.ts'
import { placeArchiveOrder, rejectApiKey, type ArchiveOrderRequest } from '../place-archive-order.ts'
import { readPlacedOrder } from '../place-quoted-orders.ts'

export const placeArchive = defineHandler(ordersArchivePlaceOperation, async (call, input) => {
  rejectApiKey(call)
  if (input.dry_run) return executeDryRun(call, (dryRun) => place(dryRun, input))
  return place(call, input)
})

async function place(call: Call, request: ArchiveOrderRequest) {
  const claimedOrderId = call.claim?.recoveryData['order_id']
  const { order, isDeferred } =
    typeof claimedOrderId === 'string'
      ? await readPlacedOrder(call, claimedOrderId)
      : await placeArchiveOrder(call, request)
  return toPlacedOrder(order, isDeferred ? 'awaiting_data' : 'processing')
}
