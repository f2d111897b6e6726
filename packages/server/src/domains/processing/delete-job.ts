import { jobLifecycle } from '@swath/contract/lifecycles.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { markEntityDeleted } from '../provenance/record-provenance.ts'
import { jobNotFound, requireJob } from './access.ts'
import { lockJob, markJobDeleted } from './store.ts'

/** Deletes a job that has ended; its items and its lineage stay. Throws `not-found`, `not-a-member` and `invalid-state`. */
export async function deleteEndedJob(call: Call, id: string): Promise<{ deleted: boolean; job_id: string }> {
  await requireJob(call, id, 'write')
  await call.transaction(async (tx) => {
    const job = await lockJob(tx, call.organization, id)
    if (!job) throw jobNotFound(id)
    if (!(jobLifecycle.terminal as readonly string[]).includes(job.status))
      throw new Problem('invalid-state', `The job is ${job.status}: cancel it, or wait until it ends.`)
    await markJobDeleted(tx, call.organization, id, call.clock.now())
    await markEntityDeleted(tx, call, { type: 'processing_job', id })
  })
  return { deleted: true, job_id: id }
}
