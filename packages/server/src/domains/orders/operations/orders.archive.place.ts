import { ordersArchivePlaceOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { placeOrResumeArchiveOrder, requireUserToOrder } from '../place-archive-order.ts'

export const handler = defineHandler(ordersArchivePlaceOperation, async (call, input) => {
  requireUserToOrder(call)
  if (input.dry_run) return executeDryRun(call, (dryRun) => placeOrResumeArchiveOrder(dryRun, input))
  return placeOrResumeArchiveOrder(call, input)
})
