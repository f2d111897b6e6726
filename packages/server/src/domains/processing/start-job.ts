import type { Job, JobResultForm } from '@swath/contract/schemas/job.ts'
import type { Call } from '../../engine/call.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import type { Actor } from '../../engine/actor.ts'
import type { Tx } from '../../platform/database/database.ts'
import { runWithReservedPayment } from '../billing/payment.ts'
import { requireCollection } from '../collections/access.ts'
import { emitEvent } from '../events/emit.ts'
import { retainAssetsForReader } from '../items/assets/asset-readers.ts'
import { lockOpenProject } from '../projects/access.ts'
import { recordProvenance } from '../provenance/record-provenance.ts'
import { requireStorageWithinQuota } from '../uploads/reservation.ts'
import { requireJob } from './access.ts'
import { completeJob, endJobWithoutResult, toJobEventData, toJobAssetReader } from './end-job.ts'
import { findJobOfIdempotencyClaim, toJobRecoveryData } from './claimed-job.ts'
import { toJob } from './job.ts'
import type { JobPlan } from './job-plan.ts'
import { planJob, type PlannedJob } from './plan-job.ts'
import type { ProcessDefinition } from './process-definition.ts'
import { updateJobStatus, findJobWithResult, insertJob, type JobRow } from './store.ts'
import { insertJobLogEntry } from './store.log.ts'
import { withProcessInputErrors } from './validate-inputs.ts'

export interface JobRequest {
  readonly definition: ProcessDefinition
  readonly project_id: string
  readonly inputs: Record<string, unknown>
  /** The field of the operation that holds the inputs. */
  readonly field: string
  readonly target_collection_id?: string | null
  /** Puts the results, which are computed anew, into a collection of their own. */
  readonly collect_results?: boolean
  readonly max_credits?: number | null
  /** False computes a result that exists already. */
  readonly reuse: boolean
  /** Hands the job to the workers in the same transaction: as dispatched, or as pending if it starts without that. */
  readonly start: 'dispatched' | 'pending' | null
  readonly clip_area?: string
  /** How OGC API - Processes answers with the results. */
  readonly result_form?: JobResultForm | null | undefined
  /** The failed or cancelled job that this one repeats. */
  readonly retried_job_id?: string
}

/** A job that was created, and its representation at that moment. */
export interface StartedJob {
  readonly row: JobRow
  readonly job: Job
}

/**
 * Creates a job, holds its price and dispatches it if requested, in one transaction. The result of a completed job with equal
 * inputs is shared without a charge. Throws `validation` with the expected schema, and what reading the sources and
 * `runWithReservedPayment` throw; then nothing was written.
 */
export async function startJob(call: Call, request: JobRequest): Promise<StartedJob> {
  const claimed = findJobOfIdempotencyClaim(call)
  if (claimed) return { row: await requireJob(call, claimed.id, 'read'), job: claimed }
  const { definition, project_id, inputs, field, target_collection_id = null } = request
  if (target_collection_id !== null) await requireCollection(call, target_collection_id, 'write', project_id)
  const planned = await withProcessInputErrors(definition, field, inputs, () => planJob(call, definition, inputs))
  const reused = request.reuse && !request.collect_results ? await findReusableJob(call, request, planned) : null
  const amount_credits = reused ? 0 : planned.price.credits
  return runWithReservedPayment(
    call,
    { amount_credits, subject: 'job', max_credits: request.max_credits },
    async (tx, { hold_id, billing_mode, reference }) => {
      await lockOpenProject(tx, call, project_id)
      await requireStorageWithinQuota(tx, call.organization)
      const job = await insertJob(tx, {
        organization_id: call.organization,
        id: reference.id,
        project_id,
        collection_id: target_collection_id,
        process_id: definition.id,
        process_version: definition.version,
        billing_mode,
        hold_id,
        held_credits: amount_credits,
        inputs,
        plan: request.collect_results ? withResultsCollection(planned.plan, inputs) : planned.plan,
        result_key: planned.result_key,
        reused_job_id: reused?.id ?? null,
        clip_area: request.clip_area ?? null,
        auto_start: request.start === 'pending',
        result_form: request.result_form ?? null,
        created_by: call.principal.id,
        created_at: call.clock.now(),
      })
      if (!reused) await retainSources(tx, call, job)
      await recordCreation(tx, call, job, request)
      const row = await handOver(tx, call, job, request.start)
      const started = { row, job: toJob(row) }
      await call.claim?.checkpoint(tx, 'reserved', toJobRecoveryData(started.job))
      return started
    },
  )
}

/** The collection has the title of the results. */
const withResultsCollection = (plan: JobPlan, { title }: JobRequest['inputs']): JobPlan => ({
  ...plan,
  results_collection: typeof title === 'string' && title !== '' ? title : (plan.items[0]?.name ?? 'Results'),
})

const retainSources = (tx: Tx, actor: Actor, job: JobRow): Promise<void> =>
  retainAssetsForReader(
    tx,
    actor,
    toJobAssetReader(job),
    job.plan.sources.map(({ asset_id }) => asset_id),
  )

async function handOver(tx: Tx, actor: Actor, job: JobRow, start: JobRequest['start']): Promise<JobRow> {
  if (start === null) return job
  if (start === 'dispatched' || job.reused_job_id !== null) return dispatchJob(tx, actor, job)
  await enqueueJobRun(tx, actor, job.id)
  return job
}

/** A completed job of the project whose result is the requested one; null if there is none. */
export async function findReusableJob(
  call: Call,
  { project_id, target_collection_id = null }: Pick<JobRequest, 'project_id' | 'target_collection_id'>,
  { result_key }: Pick<PlannedJob, 'result_key'>,
): Promise<JobRow | null> {
  if (result_key === null) return null
  const collection_id = target_collection_id
  return findJobWithResult(call.db, call.organization, { project_id, collection_id, result_key })
}

async function recordCreation(
  tx: Tx,
  actor: Actor,
  job: JobRow,
  { retried_job_id }: Pick<JobRequest, 'retried_job_id'>,
): Promise<void> {
  const src = { type: 'processing_job', id: job.id }
  const itemIds = [...new Set(job.plan.sources.map(({ item_id }) => item_id))]
  const edges = itemIds.map((id) => ({ relation: 'derived_from' as const, src, dst: { type: 'item', id } }))
  await recordProvenance(tx, actor, edges)
  await emitEvent(tx, actor, {
    kind: 'job.created',
    entity_type: 'processing_job',
    entity_id: job.id,
    project_id: job.project_id,
    data: toJobEventData(job),
  })
  const created = retried_job_id ? `The job was created to repeat the job ${retried_job_id}.` : 'The job was created.'
  const message = job.reused_job_id ? `The result of the job ${job.reused_job_id} is shared.` : created
  await insertJobLogEntry(tx, actor.organization, job.id, { at: actor.clock.now(), level: 'info', message })
}

const deletedResult = {
  code: 'result-deleted',
  text: 'The result that this job would have shared was deleted. Execute the process again.',
}

/**
 * Hands a pending job to the workers of the server; a job that shares a result completes at once. Returns the job
 * unchanged if it is not pending.
 */
export async function dispatchJob(tx: Tx, actor: Actor, job: JobRow): Promise<JobRow> {
  const dispatched = await updateJobStatus(tx, actor.organization, job.id, {
    move: 'dispatch',
    at: actor.clock.now(),
  })
  if (!dispatched) return job
  if (job.reused_job_id === null) {
    await enqueueJobRun(tx, actor, job.id)
    return dispatched
  }
  const shared =
    job.result_key === null
      ? null
      : await findJobWithResult(tx, actor.organization, { ...job, result_key: job.result_key })
  const ended = shared
    ? await completeJob(tx, actor, dispatched, { item_ids: shared.item_ids, signed: null })
    : await endJobWithoutResult(tx, actor, dispatched, { move: 'fail', failure: deletedResult })
  return ended ?? dispatched
}

/** The singleton key prevents a second run while one waits or works. */
export const enqueueJobRun = (tx: Tx, { organization, queue }: Actor, job_id: string): Promise<void> =>
  queue.enqueue(tx, backgroundTaskTypes.runJob, { organization_id: organization, job_id }, { singleton_key: job_id })
