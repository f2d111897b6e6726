import { processingProjectJobGetOperation } from '@swath/contract/operations/processing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireProject } from '../../projects/access.ts'
import { requireJob } from '../access.ts'
import { toJob } from '../job.ts'

export const handler = defineHandler(processingProjectJobGetOperation, async (call, { job_id }) => {
  const job = await requireJob(call, job_id, 'read')
  await requireProject(call, job.project_id, 'read')
  return { job: toJob(job) }
})
