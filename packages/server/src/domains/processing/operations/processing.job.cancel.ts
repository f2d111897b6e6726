import { processingJobCancelOperation } from '@swath/contract/operations/processing.job.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { requireJob } from '../access.ts'
import { endJobWithoutResult } from '../end-job.ts'
import { toJob } from '../job.ts'
import { insertJobLogEntry } from '../store.log.ts'
import { lockJob, markJobDismissed, type JobRow } from '../store.ts'

export const handler = defineHandler(processingJobCancelOperation, async (call, { job_id, dismiss }) => {
  const { id } = await requireJob(call, job_id, 'write')
  const cancelled = await call.transaction(async (tx) => {
    const job = await lockJob(tx, call.organization, id)
    const ended = job && (await endJobWithoutResult(tx, call, job, { move: 'cancel' }))
    return ended ?? (dismiss ? dismissEndedJob(tx, call, id) : null)
  })
  if (cancelled) return { job: toJob(cancelled) }
  const { status } = await requireJob(call, job_id, 'write')
  throw new Problem('invalid-state', `The job is ${status} and cannot be cancelled.`)
})

/** The record of the job, its items and its lineage stay. */
async function dismissEndedJob(tx: Tx, call: Call, id: string): Promise<JobRow | null> {
  const at = call.clock.now()
  const message = 'The job was dismissed: OGC API - Processes no longer shows it.'
  await insertJobLogEntry(tx, call.organization, id, { at, level: 'info', message })
  return markJobDismissed(tx, call.organization, id, at)
}
