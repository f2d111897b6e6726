import { clipJobGetOperation } from '@swath/contract/operations/clip.job.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toJob } from '../../processing/job.ts'
import { requireClipJob } from '../clip-job.ts'

export const handler = defineHandler(clipJobGetOperation, async (call, { job_id }) => ({
  job: toJob(await requireClipJob(call, job_id)),
}))
