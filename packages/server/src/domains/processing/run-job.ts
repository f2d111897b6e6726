import { jobReceiptSignerKey } from './receipts.ts'
import { type Raster, RasterFailure } from '@swath/raster'
import { describeProblem, Problem } from '../../engine/problem.ts'
import { createTaskActor, type TaskContext } from '../../engine/task.ts'
import { toProcessClockTime, type ProcessClockTime } from '../../platform/clock.ts'
import type { DbConnection, SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { withWorkFolder } from '../../platform/work-folder.ts'
import { emitEvent } from '../events/emit.ts'
import type { ItemMetadataWriter } from '../items/metadata-limit.ts'
import { findAsset, type AssetRow } from '../items/assets/store.assets.ts'
import { findItem } from '../items/store.ts'
import { openAssetRaster } from '../tiles/asset-source.ts'
import { convertRasterFailures, describeRasterFailure } from '../tiles/failures.ts'
import { getBackgroundRasterJobRunner } from '../tiles/raster-pool.ts'
import { removeUnregisteredJobFiles, removeRunFiles } from './clean-job.ts'
import { endJobWithoutResult, toJobEventData, type JobFailure } from './end-job.ts'
import type { ExportPlanAsset, JobPlanAsset, JobPlanSource, RasterPlanAsset, VectorPlanAsset } from './job-plan.ts'
import { keepJobLease, type JobLease } from './leases/keep-lease.ts'
import { job_lease_ms, max_lost_job_attempts } from './leases/lease-times.ts'
import { registerJobResults } from './register-results.ts'
import { updateJobStatus, updateJobLostAttempts, claimJob, lockJob, renewJobLease, type JobRow } from './store.ts'
import { insertJobLogEntry } from './store.log.ts'
import { max_job_time_limit_s, timeLimitExceededFailure } from './leases/time-limit.ts'
import { requireUnchangedSource } from './unchanged-source.ts'
import { computeAndStoreItemFiles, type WrittenItem } from './write-results.ts'

type JobActor = ReturnType<typeof createTaskActor> & ItemMetadataWriter

const workerLost = (what: string): JobFailure => ({
  code: 'worker-lost',
  text: `The job ended ${what}. Execute the process on a smaller area.`,
})

/**
 * Takes a job that is dispatched, or whose worker is dead: the attempt is counted and leased, under the same hold. Null if
 * the job has ended, another worker has it, or too many processes ended with it.
 */
export async function claimJobAttempt(tx: Tx, actor: JobActor, job_id: string): Promise<JobRow | null> {
  const job = await lockJob(tx, actor.organization, job_id)
  const isDispatched = job?.status === 'dispatched' || (job?.status === 'pending' && job.auto_start)
  if (!job || (!isDispatched && job.status !== 'running')) return null
  if (job.status === 'running') {
    if (job.lease_until !== null && job.lease_until > toProcessClockTime(actor.clock.process)) return null
    const { lost_attempts } = await takeFromLostWorker(tx, actor, job)
    if (lost_attempts >= max_lost_job_attempts) {
      const failure = workerLost(`${max_lost_job_attempts} processes of the server`)
      await endJobWithoutResult(tx, actor, job, { move: 'fail', failure })
      return null
    }
  }
  return beginJobAttempt(tx, actor, job, {
    worker: 'server',
    lease_until: toProcessClockTime(actor.clock.process, job_lease_ms),
  })
}

/** Dispatches a job again whose lease ended. An outside worker cannot end a process of the server. */
async function takeFromLostWorker(tx: Tx, actor: JobActor, job: JobRow): Promise<JobRow> {
  const at = actor.clock.now()
  await updateJobStatus(tx, actor.organization, job.id, { move: 'dispatch_again', at })
  const isOwn = job.worker === 'server'
  const next = isOwn ? 'runs again, in a process of its own' : 'runs again'
  const message = `The worker of attempt ${job.attempt} was lost; the job ${next}.`
  await insertJobLogEntry(tx, actor.organization, job.id, { at, level: 'warning', message })
  return isOwn ? updateJobLostAttempts(tx, actor.organization, job.id) : job
}

/** Starts the next attempt of a job that is pending or dispatched. */
export async function beginJobAttempt(
  tx: Tx,
  actor: ItemMetadataWriter,
  { id, attempt }: JobRow,
  { worker, lease_until }: { readonly worker: JobRow['worker']; readonly lease_until: ProcessClockTime },
): Promise<JobRow> {
  const at = actor.clock.now()
  await updateJobStatus(tx, actor.organization, id, { move: 'start', at })
  const started = await claimJob(tx, actor.organization, id, { worker, attempt: attempt + 1, lease_until })
  const by = worker === 'server' ? 'the server' : 'an outside worker'
  const message = `Attempt ${started.attempt} was started by ${by}.`
  await insertJobLogEntry(tx, actor.organization, id, { at, level: 'info', message })
  await emitEvent(tx, actor, {
    kind: 'job.started',
    entity_type: 'processing_job',
    entity_id: id,
    project_id: started.project_id,
    data: toJobEventData(started),
  })
  return started
}

/** Runs an attempt: computes and stores the files, then registers them. Throws for a retry by the queue. */
export async function runJobAttempt(context: TaskContext, actor: JobActor, job: JobRow): Promise<void> {
  const db = context.database.forOrganization(actor.organization)
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const lease = keepJobLease(context, actor, job, progress)
  const run = newId()
  let registered: JobRow | null = null
  try {
    const written = await withWorkFolder((folder) =>
      writeResults(context, actor, job, { folder, lease, progress, run }),
    )
    registered = await db.transaction((tx) =>
      registerJobResults(tx, actor, job, { written, signer: context.processServices.get(jobReceiptSignerKey) }),
    )
  } catch (error) {
    await handleFailure(context, actor, job, { error, lease })
  } finally {
    lease.end()
    if (registered?.status !== 'completed') await removeRunFiles(db, context.blobs, job, run)
  }
}

interface AttemptResources {
  readonly folder: string
  readonly lease: JobLease
  readonly progress: Int32Array<SharedArrayBuffer>
  readonly run: string
}

async function writeResults(
  context: TaskContext,
  actor: JobActor,
  job: JobRow,
  { folder, lease, progress, run }: AttemptResources,
): Promise<WrittenItem[]> {
  const { signal } = lease
  const run_options = { signal, isolated: job.lost_attempts > 0 }
  const jobs = getBackgroundRasterJobRunner(context.processServices, actor.organization)
  const createCog = async (asset: RasterPlanAsset, path: string) => {
    const rasters = await openPlanSources(context, actor, { job, asset, signal })
    // A mean of classes is another class, or none.
    const overviews = asset.is_categorical ? ('mode' as const) : undefined
    // The price was held for the planned samples.
    const request = { path, process: asset.process, progress, overviews, max_samples: asset.samples }
    return jobs.run('processToCog', rasters, request, run_options)
  }
  const createFeatures = async ({ process, ...asset }: VectorPlanAsset, path: string) => {
    const rasters = await openPlanSources(context, actor, { job, asset, signal })
    return jobs.run('processToFeatures', rasters, { path, process, progress }, run_options)
  }
  const createExport = async ({ process, samples, ...asset }: ExportPlanAsset, path: string) => {
    const rasters = await openPlanSources(context, actor, { job, asset, signal })
    await jobs.run('processToExport', rasters, { path, process, progress, max_samples: samples }, run_options)
    return rasters[0]!
  }
  const written: WrittenItem[] = []
  const { organization } = actor
  const create = { createCog, createFeatures, createExport }
  const writer = { organization, run, blobs: context.blobs, jobs, folder, signal, ...create }
  for (const plan of job.plan.items) written.push(await computeAndStoreItemFiles(writer, plan))
  return written
}

/** A job may read a whole file, unlike a request. */
const unlimitedReads = { beforeRead: () => undefined }

async function openPlanSources(
  context: TaskContext,
  actor: JobActor,
  {
    job,
    asset,
    signal,
  }: { readonly job: JobRow; readonly asset: Pick<JobPlanAsset, 'sources'>; readonly signal: AbortSignal },
): Promise<Raster[]> {
  const db = context.database.forOrganization(actor.organization)
  const readContext = { ...context, clocks: context.clock, signal }
  const rasters: Raster[] = []
  for (const source of asset.sources.map((index) => job.plan.sources[index]!)) {
    const row = requireUnchangedSource(await findSourceAsset(db, actor.organization, source), source)
    rasters.push(await convertRasterFailures(() => openAssetRaster(readContext, row, unlimitedReads)))
  }
  return rasters
}

/** The asset, unless it or its item was deleted. */
async function findSourceAsset(
  db: SqlStatementRunner,
  organization: string,
  source: JobPlanSource,
): Promise<AssetRow | null> {
  const item = await findItem(db, organization, source.item_id)
  return item?.deleted_at === null ? findAsset(db, organization, source.item_id, source.asset_id) : null
}

const internalFailure: JobFailure = {
  code: 'internal',
  text: 'The job failed because of an internal error. Execute the process again later.',
}

/** Ends the job for a reason that its user can act on; anything else is retried as long as there are attempts. */
async function handleFailure(
  context: TaskContext,
  actor: JobActor,
  job: JobRow,
  { error, lease }: { readonly error: unknown; readonly lease: JobLease },
): Promise<void> {
  const db = context.database.forOrganization(actor.organization)
  if (lease.isLost()) return removeUnregisteredJobFiles(db, context.blobs, actor.organization, job.id)
  const isOverTime = lease.isOverTime() && !context.signal.aborted
  const failure = isOverTime
    ? timeLimitExceededFailure(job.plan.time_limit_s ?? max_job_time_limit_s)
    : toJobFailure(error)
  if (context.signal.aborted || (failure === null && !context.isLastAttempt)) {
    await giveBack(db, actor, job)
    throw error
  }
  if (failure === null) context.log.error({ err: error, job: job.id }, 'a job failed')
  await db.transaction(async (tx) => {
    const current = await lockJob(tx, actor.organization, job.id)
    if (current?.attempt === job.attempt)
      await endJobWithoutResult(tx, actor, current, { move: 'fail', failure: failure ?? internalFailure })
  })
}

/** The attempt ended, and its process goes on or stops in order: the next one need not wait until the lease ends. */
const giveBack = (db: DbConnection, actor: JobActor, job: JobRow): Promise<void> =>
  db.transaction(async (tx) => {
    const at = actor.clock.now()
    const lease_until = toProcessClockTime(actor.clock.process)
    const isHeld = await renewJobLease(tx, actor.organization, job, { lease_until, progress: 0 })
    if (isHeld) await updateJobStatus(tx, actor.organization, job.id, { move: 'dispatch_again', at })
  })

/** The reason in a sentence for the user; null for an error that another attempt may not have. */
function toJobFailure(error: unknown): JobFailure | null {
  if (error instanceof RasterFailure && error.kind === 'worker_lost')
    return workerLost('the process that worked on it alone')
  if (error instanceof RasterFailure && error.kind !== 'cancelled' && error.kind !== 'source' && error.kind !== 'write')
    return { code: error.kind, text: describeRasterFailure(error) }
  if (!(error instanceof Problem) || error.status >= 500 || error.status === 429) return null
  return { code: error.problem, text: describeProblem(error) }
}
