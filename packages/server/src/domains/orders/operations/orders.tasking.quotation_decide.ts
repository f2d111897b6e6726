import { ordersTaskingQuotationDecideOperation } from '@swath/contract/operations/orders.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { decideQuotation } from '../tasking/decide.ts'

export const handler = defineHandler(ordersTaskingQuotationDecideOperation, async (call, input) =>
  input.dry_run ? executeDryRun(call, (dryRun) => decideQuotation(dryRun, input)) : decideQuotation(call, input),
)
