import type { Actor } from '../../../engine/actor.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { endJobWithoutResult } from '../end-job.ts'
import { lockJob } from '../store.ts'

/** Runs a job again whose worker was lost. False if it has ended, or waits to be dispatched by its user. */
export async function requeueLostJob(tx: Tx, actor: Actor, id: string): Promise<boolean> {
  const job = await lockJob(tx, actor.organization, id)
  const isWaiting = job?.status === 'pending' && job.auto_start
  if (!job || !(isWaiting || job.status === 'dispatched' || job.status === 'running')) return false
  const data = { organization_id: actor.organization, job_id: id }
  await actor.queue.enqueue(tx, backgroundTaskTypes.runJob, data, { singleton_key: id })
  return true
}

/** Fails a job for an operator and releases its hold. False if it has ended. */
export async function failJobByOperator(tx: Tx, actor: Actor, id: string, reason: string): Promise<boolean> {
  const job = await lockJob(tx, actor.organization, id)
  const failure = { code: 'ended-by-operator', text: reason }
  return job !== null && (await endJobWithoutResult(tx, actor, job, { move: 'fail', failure })) !== null
}
