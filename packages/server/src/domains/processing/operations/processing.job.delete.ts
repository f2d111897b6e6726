import { processingJobDeleteOperation } from '@swath/contract/operations/processing.job.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { deleteEndedJob } from '../delete-job.ts'

export const handler = defineHandler(processingJobDeleteOperation, (call, { job_id }) => deleteEndedJob(call, job_id))
