import { processingJobDelegateOperation } from '@swath/contract/operations/processing.job.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { delegateJobToOutsideWorker } from '../delegate-job.ts'
import { toJob } from '../job.ts'

export const handler = defineHandler(processingJobDelegateOperation, async (call, { job_id, lease_seconds }) => {
  const { job, assignment } = await delegateJobToOutsideWorker(call, job_id, lease_seconds)
  return { job: toJob(job), assignment }
})
