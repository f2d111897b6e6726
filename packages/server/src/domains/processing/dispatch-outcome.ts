import type { Job, JobDispatch } from '@swath/contract/schemas/job.ts'
import { toJob } from './job.ts'
import type { JobRow } from './store.ts'

/** The version of the workers of the server. */
const default_version = '1.0'

/** A job that was handed to the workers, or that shares a result and has completed at once. */
export function toDispatchedJob(job: JobRow, version: string = default_version): { job: Job; dispatch: JobDispatch } {
  const reason =
    job.reused_job_id === null
      ? job.failure_text
      : `The result of the job ${job.reused_job_id} is shared, without a charge.`
  return { job: toJob(job), dispatch: { accepted: job.status !== 'failed', job_id: job.id, version, reason } }
}
