import type { Job, JobDispatch } from '@swath/contract/schemas/job.ts'

/** The version of the workers of the server. */
const defaultVersion = '1.0'

/** A job that was handed to the workers, or that shares a result and has completed at once. */
export function toDispatchedJob(job: Job, version: string = defaultVersion): { job: Job; dispatch: JobDispatch } {
  const { reused_job_id, failure } = job
  const reason = reused_job_id === null ? null : `The result of the job ${reused_job_id} is shared, without a charge.`
  return {
    job,
    dispatch: {
      accepted: job.status !== 'failed',
      job_id: job.id,
      version,
      reason: failure?.text ?? reason,
    },
  }
}
