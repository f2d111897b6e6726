import { ordersArchivePlaceOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { placeOrResume, rejectApiKey } from '../place-archive-order.ts'

export const handler = defineHandler(ordersArchivePlaceOperation, async (call, input) => {
  rejectApiKey(call)
  if (input.dry_run) return executeDryRun(call, (dryRun) => placeOrResume(dryRun, input))
  return placeOrResume(call, input)
})
