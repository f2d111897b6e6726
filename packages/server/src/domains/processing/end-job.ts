import { jobLifecycle, jobPaymentLifecycle } from '@swath/contract/lifecycles.ts'
import type { Actor } from '../../engine/actor.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { toProcessClockTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { releasePaymentHold, capturePaymentHold } from '../billing/payment.ts'
import { emitEvent } from '../events/emit.ts'
import { releaseAssetsOfReader } from '../items/assets/asset-readers.ts'
import type { AssetReadingEntity } from '../items/assets/store.asset-lifecycle.ts'
import { late_upload_grace_ms } from './leases/lease-times.ts'
import type { SignedJobReceipt } from './receipts.ts'
import { markJobEnded, type JobRow } from './store.ts'
import { insertJobLogEntry } from './store.log.ts'

/** The reason why a job failed, in a sentence that its user can act on. */
export interface JobFailure {
  readonly code: string
  readonly text: string
}

/** The data of events about what a job does. */
export const toJobEventData = ({ process_id, project_id }: JobRow) => ({ process_id, project_id })

/** A job keeps the files that it reads from being deleted until it ends. */
export const toJobAssetReader = ({ id }: Pick<JobRow, 'id'>): AssetReadingEntity => ({ type: 'processing_job', id })

/** Completes a job with its items and captures its hold, both or neither. Null if it has ended. */
export async function completeJob(
  tx: Tx,
  actor: Actor,
  job: JobRow,
  { item_ids, signed }: { readonly item_ids: readonly string[]; readonly signed: SignedJobReceipt | null },
): Promise<JobRow | null> {
  const { held_credits: captured_credits } = job
  const at = actor.clock.now()
  const ended = await markJobEnded(tx, actor.organization, job.id, {
    move: 'complete',
    at,
    captured_credits,
    item_ids,
    signed,
    failure: null,
  })
  if (!ended) return null
  await releaseAssetsOfReader(tx, actor, toJobAssetReader(job))
  await insertJobLogEntry(tx, actor.organization, job.id, { at, level: 'info', message: 'The job completed.' })
  await emitEvent(tx, actor, {
    kind: jobLifecycle.transitions.complete.emits ?? 'job.completed',
    entity_type: 'processing_job',
    entity_id: job.id,
    project_id: job.project_id,
    data: { item_ids },
  })
  await emitEvent(tx, actor, {
    kind: jobPaymentLifecycle.transitions.capture.emits ?? 'job.captured',
    entity_type: 'processing_job',
    entity_id: job.id,
    project_id: job.project_id,
    data: { hold_id: job.hold_id, credits: captured_credits },
  })
  // Attempts of the server store nothing in the folder of the job, but an outside worker may have lost it to the server.
  if (job.worker === 'external' || job.attempt > 1) await enqueueCleanings(tx, actor, job)
  // Last, as in `runWithReservedPayment`: other spenders of the same wallet are blocked from here on.
  await capturePaymentHold(tx, actor, { hold_id: job.hold_id, amount_credits: captured_credits })
  return ended
}

/** Ends a job without a result and releases its hold, both or neither. Null if it has ended. */
export async function endJobWithoutResult(
  tx: Tx,
  actor: Actor,
  job: JobRow,
  end: { readonly move: 'fail'; readonly failure: JobFailure } | { readonly move: 'cancel' },
): Promise<JobRow | null> {
  const failure = end.move === 'fail' ? end.failure : null
  const at = actor.clock.now()
  const ended = await markJobEnded(tx, actor.organization, job.id, {
    move: end.move,
    at,
    captured_credits: 0,
    item_ids: [],
    signed: null,
    failure,
  })
  if (!ended) return null
  await releaseAssetsOfReader(tx, actor, toJobAssetReader(job))
  const message = failure ? `The job failed: ${failure.text}` : 'The job was cancelled.'
  await insertJobLogEntry(tx, actor.organization, job.id, { at, level: failure ? 'error' : 'info', message })
  if (failure)
    await emitEvent(tx, actor, {
      kind: 'job.failed',
      entity_type: 'processing_job',
      entity_id: job.id,
      project_id: job.project_id,
      data: { ...toJobEventData(job), reason: failure.text },
    })
  await emitEvent(tx, actor, {
    kind: 'job.released',
    entity_type: 'processing_job',
    entity_id: job.id,
    project_id: job.project_id,
    data: { hold_id: job.hold_id },
  })
  await enqueueCleanings(tx, actor, job)
  await releasePaymentHold(tx, actor, job.hold_id)
  return ended
}

/** Cleans now, and again once no worker that has not noticed the end can store files. */
async function enqueueCleanings(tx: Tx, actor: Actor, { id, attempt, lease_until }: JobRow): Promise<void> {
  const data = { organization_id: actor.organization, job_id: id }
  await actor.queue.enqueue(tx, backgroundTaskTypes.cleanJob, data, { delay_ms: 0 })
  if (attempt === 0) return
  const left_ms = Math.max(0, (lease_until?.getTime() ?? 0) - toProcessClockTime(actor.clock.process).getTime())
  await actor.queue.enqueue(tx, backgroundTaskTypes.cleanJob, data, { delay_ms: left_ms + late_upload_grace_ms })
}
