import { clipJobDeleteOperation } from '@swath/contract/operations/clip.job.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { deleteEndedJob } from '../../processing/delete-job.ts'
import { requireClipJob } from '../clip-job.ts'

export const handler = defineHandler(clipJobDeleteOperation, async (call, { job_id }) => {
  const { id } = await requireClipJob(call, job_id)
  return deleteEndedJob(call, id)
})
