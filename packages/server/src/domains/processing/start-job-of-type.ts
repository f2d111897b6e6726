import type { Call } from '../../engine/call.ts'
import { requireProject } from '../projects/access.ts'
import { requireJobType } from './registry.ts'
import { startJob, type JobRequest, type StartedJob } from './start-job.ts'

interface JobOfType extends Pick<JobRequest, 'target_collection_id' | 'max_credits' | 'reuse'> {
  readonly project_id: string
  readonly job_type_id: string
  readonly input_params?: Record<string, unknown>
}

/**
 * Prepares a job of the process that a job type names, in a project that the caller may write to; the returned function starts
 * it for a call, which may be that of a dry run. Throws what `requireProject`, `requireJobType` and `startJob` throw.
 */
export async function prepareJobOfType(
  call: Call,
  { job_type_id, input_params: inputs = {}, target_collection_id, max_credits, reuse, ...input }: JobOfType,
  start: JobRequest['start'],
): Promise<(by: Call) => Promise<StartedJob>> {
  const { id: project_id } = await requireProject(call, input.project_id, 'write')
  const request = {
    definition: requireJobType(job_type_id),
    project_id,
    inputs,
    target_collection_id,
    max_credits,
    reuse,
  }
  return (by) => startJob(by, { ...request, field: 'input_params', start })
}
