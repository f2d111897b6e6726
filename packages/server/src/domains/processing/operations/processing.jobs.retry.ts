import { processingJobsRetryOperation } from '@swath/contract/operations/processing.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { requireJob } from '../access.ts'
import { toDispatchedJob } from '../dispatch-outcome.ts'
import { findProcess } from '../registry.ts'
import { startJob } from '../start-job.ts'
import type { JobRow } from '../store.ts'

export const handler = defineHandler(processingJobsRetryOperation, async (call, input) => {
  const job = await requireJob(call, input.job_id, 'write')
  const definition = requireRetryable(job)
  const start = async (by: Call) => {
    const { max_credits, reuse } = input
    const { project_id, collection_id: target_collection_id, inputs } = job
    const collect_results = job.plan.results_collection !== undefined
    const request = { definition, project_id, target_collection_id, collect_results, inputs, max_credits, reuse }
    const retry = { ...request, retried_job_id: job.id, field: 'job_id', start: 'dispatched' } as const
    return toDispatchedJob((await startJob(by, retry)).job)
  }
  return input.dry_run ? executeDryRun(call, start) : start(call)
})

/** The process of a job that ended without a result. Throws `invalid-state` for any other job. */
function requireRetryable({ status, process_id }: JobRow) {
  if (status !== 'failed' && status !== 'cancelled')
    throw new Problem('invalid-state', `The job is ${status}: only a failed or cancelled job can be retried.`)
  const definition = findProcess(process_id)
  if (definition) return definition
  throw new Problem('invalid-state', 'The job clips an area: create the clip again with `clip.create_from_area`.')
}
