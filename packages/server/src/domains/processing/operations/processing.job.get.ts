import { processingJobGetOperation } from '@swath/contract/operations/processing.job.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireJob } from '../access.ts'
import { toJob } from '../job.ts'

export const handler = defineHandler(processingJobGetOperation, async (call, { job_id }) => ({
  job: toJob(await requireJob(call, job_id, 'read')),
}))
