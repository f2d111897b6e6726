import { processingJobRegisterOperation } from '@swath/contract/operations/processing.job.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toJob } from '../job.ts'
import { registerJobOutputs } from '../register-outputs.ts'

export const handler = defineHandler(processingJobRegisterOperation, async (call, { job_id, outputs }) => {
  const job = await registerJobOutputs(call, job_id, outputs ?? [])
  return { job: toJob(job), item_ids: job.item_ids }
})
