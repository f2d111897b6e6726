import { processingExecuteOperation } from '@swath/contract/operations/processing.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireBudgetedWorkspace } from '../../billing/budgets/budgets.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { toDispatchedJob } from '../dispatch-outcome.ts'
import { requireProcess } from '../registry.ts'
import { startJob } from '../start-job.ts'

export const handler = defineHandler(processingExecuteOperation, async (call, input) => {
  const definition = requireProcess(input.process_id)
  const { id: project_id } = await requireBudgetedWorkspace(call, input.workspaceId, input.budgetId)
  const start = async (by: Call) => {
    const { inputs, max_credits, reuse, collect_results, result_form } = input
    const request = { definition, project_id, inputs, max_credits, reuse, collect_results, result_form }
    return toDispatchedJob((await startJob(by, { ...request, field: 'inputs', start: 'dispatched' })).job)
  }
  return input.dry_run ? executeDryRun(call, start) : start(call)
})
