import { processingCreateAndDispatchOperation } from '@swath/contract/operations/processing.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { requireProject } from '../../projects/access.ts'
import { toDispatchedJob } from '../dispatch-outcome.ts'
import { requireJobType } from '../registry.ts'
import { startJob } from '../start-job.ts'

export const createAndDispatchJob = defineHandler(processingCreateAndDispatchOperation, async (call, input) => {
  const { id: project_id } = await requireProject(call, input.project_id, 'write')
  const definition = requireJobType(input.job_type_id)
  const start = async (by: Call) => {
    const { input_params: inputs = {}, target_collection_id, max_credits, reuse } = input
    const request = { definition, project_id, inputs, target_collection_id, max_credits, reuse }
    return toDispatchedJob((await startJob(by, { ...request, field: 'input_params', start: 'dispatched' })).job)
  }
  return input.dry_run ? executeDryRun(call, start) : start(call)
})
