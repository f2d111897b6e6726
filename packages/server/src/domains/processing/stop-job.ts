import type { Actor } from '../../engine/actor.ts'
import type { Tx } from '../../platform/database/database.ts'
import { endJobWithoutResult, type JobFailure } from './end-job.ts'
import { listOpenJobIds } from './store.lists.ts'
import { lockJob } from './store.ts'

/** Fails a job that has not ended, and releases its hold. */
export async function stopJobNow(tx: Tx, actor: Actor, id: string, failure: JobFailure): Promise<void> {
  const job = await lockJob(tx, actor.organization, id)
  if (job) await endJobWithoutResult(tx, actor, job, { move: 'fail', failure })
}

/** Stops every open job of the organization; returns their number. */
export async function stopOpenJobs(tx: Tx, actor: Actor, failure: JobFailure): Promise<number> {
  const ids = await listOpenJobIds(tx, actor.organization)
  for (const id of ids) await stopJobNow(tx, actor, id, failure)
  return ids.length
}
