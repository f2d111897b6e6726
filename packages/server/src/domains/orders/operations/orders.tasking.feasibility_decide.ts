import { ordersTaskingFeasibilityDecideOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { decideFeasibilityStudy } from '../tasking/decide.ts'

export const handler = defineHandler(ordersTaskingFeasibilityDecideOperation, async (call, input) =>
  input.dry_run
    ? executeDryRun(call, (dryRun) => decideFeasibilityStudy(dryRun, input))
    : decideFeasibilityStudy(call, input),
)
