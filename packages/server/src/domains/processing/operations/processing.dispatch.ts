import { processingDispatchOperation } from '@swath/contract/operations/processing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireJob } from '../access.ts'
import { findJobOfIdempotencyClaim, toJobRecoveryData } from '../claimed-job.ts'
import { toDispatchedJob } from '../dispatch-outcome.ts'
import { toJob } from '../job.ts'
import { dispatchJob } from '../start-job.ts'
import { lockJob } from '../store.ts'

export const handler = defineHandler(processingDispatchOperation, async (call, { job_id, version }) => {
  const found = await requireJob(call, job_id, 'write')
  const claimed = findJobOfIdempotencyClaim(call)
  if (claimed?.id === found.id) return toDispatchedJob(claimed, version)
  const dispatched = await call.transaction(async (tx) => {
    const job = await lockJob(tx, call.organization, found.id)
    if (job?.status !== 'pending') return null
    const row = toJob(await dispatchJob(tx, call, job))
    await call.claim?.checkpoint(tx, 'reserved', toJobRecoveryData(row))
    return row
  })
  if (dispatched) return toDispatchedJob(dispatched, version)
  const { status } = await requireJob(call, job_id, 'write')
  throw new Problem('invalid-state', `The job is ${status} and cannot be dispatched.`)
})
