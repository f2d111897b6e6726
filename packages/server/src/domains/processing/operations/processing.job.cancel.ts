import { processingJobCancelOperation } from '@swath/contract/operations/processing.job.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireJob } from '../access.ts'
import { endJobWithoutResult } from '../end-job.ts'
import { toJob } from '../job.ts'
import { lockJob } from '../store.ts'

export const handler = defineHandler(processingJobCancelOperation, async (call, { job_id }) => {
  const { id } = await requireJob(call, job_id, 'write')
  const cancelled = await call.transaction(async (tx) => {
    const job = await lockJob(tx, call.organization, id)
    return job && endJobWithoutResult(tx, call, job, { move: 'cancel' })
  })
  if (cancelled) return { job: toJob(cancelled) }
  const { status } = await requireJob(call, job_id, 'write')
  throw new Problem('invalid-state', `The job is ${status} and cannot be cancelled.`)
})
