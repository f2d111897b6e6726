import { ordersTaskingPlaceOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { placeTaskingOrder } from '../tasking/place-tasking-order.ts'

export const handler = defineHandler(ordersTaskingPlaceOperation, async (call, input) =>
  input.dry_run ? executeDryRun(call, (dryRun) => placeTaskingOrder(dryRun, input)) : placeTaskingOrder(call, input),
)
