import {
  jobLifecycle,
  jobPaymentLifecycle,
  type JobSettlement,
  type JobStatus,
  type JobTransitionName,
} from '@swath/contract/lifecycles.ts'
import type { JobResultForm } from '@swath/contract/schemas/job.ts'
import type { OrganizationTime, ProcessClockTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { JobPlan, RegisteredOutput } from './job-plan.ts'

export interface JobRow {
  readonly organization_id: string
  readonly id: string
  readonly project_id: string
  readonly collection_id: string | null
  readonly process_id: string
  readonly process_version: string
  readonly status: JobStatus
  readonly settlement: JobSettlement
  readonly billing_mode: string
  readonly hold_id: string | null
  readonly held_credits: number
  readonly captured_credits: number
  readonly inputs: Record<string, unknown>
  readonly plan: JobPlan
  readonly result_key: string | null
  readonly reused_job_id: string | null
  readonly worker: 'server' | 'external'
  readonly attempt: number
  /** The end of the lease, after which the worker counts as dead. */
  readonly lease_until: ProcessClockTime | null
  /** Attempts that ended with the process of the server, other than by a stop. */
  readonly lost_attempts: number
  readonly progress: number
  readonly item_ids: string[]
  readonly failure_code: string | null
  readonly failure_text: string | null
  readonly clip_area: string | null
  /** True for a job that starts without being dispatched. */
  readonly auto_start: boolean
  readonly result_form: JobResultForm | null
  readonly dismissed_at: Date | null
  readonly created_by: string
  readonly created_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly updated_at: Date
}

/** The columns of a job in a list. */
export type JobSummaryRow = Omit<JobRow, 'plan'>

/** All but the plan, which may be long. */
export const jobSummaryColumns = sql`
  organization_id, id, project_id, collection_id, process_id, process_version, status, settlement, billing_mode, hold_id,
  held_credits, captured_credits, inputs, result_key, reused_job_id, worker, attempt, lost_attempts, lease_until, progress,
  item_ids,
  failure_code, failure_text, clip_area, auto_start, result_form, dismissed_at, created_by, created_at, started_at, finished_at, updated_at`

const jobColumns = sql`${jobSummaryColumns}, plan`

export type NewJob = Pick<
  JobRow,
  | 'organization_id'
  | 'id'
  | 'project_id'
  | 'collection_id'
  | 'process_id'
  | 'process_version'
  | 'billing_mode'
  | 'hold_id'
  | 'held_credits'
  | 'inputs'
  | 'plan'
  | 'result_key'
  | 'reused_job_id'
  | 'clip_area'
  | 'auto_start'
  | 'result_form'
  | 'created_by'
> & { readonly created_at: OrganizationTime }

/** The hold of the job is written later in the same transaction: the constraint on it is checked at its end. */
export async function insertJob(tx: Tx, job: NewJob): Promise<JobRow> {
  const [row] = await tx.query<JobRow>(sql`
    insert into processing_jobs
      (organization_id, id, project_id, collection_id, process_id, process_version, status, settlement, billing_mode, hold_id,
       held_credits, inputs, plan, result_key, reused_job_id, worker, clip_area, auto_start, result_form, created_by,
       created_at, updated_at)
    values (${job.organization_id}, ${job.id}, ${job.project_id}, ${job.collection_id}, ${job.process_id},
            ${job.process_version}, ${jobLifecycle.transitions.create.to},
            ${jobPaymentLifecycle.transitions.reserve.to}, ${job.billing_mode}, ${job.hold_id}, ${job.held_credits},
            ${sql.json(job.inputs)}, ${sql.json(job.plan)}, ${job.result_key}, ${job.reused_job_id}, 'server',
            ${job.clip_area}, ${job.auto_start}, ${job.result_form}, ${job.created_by}, ${job.created_at},
            ${job.created_at})
    returning ${jobColumns}`)
  return row!
}

export async function findJob(db: SqlStatementRunner, organization: string, id: string): Promise<JobRow | null> {
  const [row] = await db.query<JobRow>(sql`
    select ${jobColumns} from processing_jobs
    where organization_id = ${organization} and id = ${id} and deleted_at is null`)
  return row ?? null
}

/** The job with its row locked until the transaction ends. */
export async function lockJob(tx: Tx, organization: string, id: string): Promise<JobRow | null> {
  const [row] = await tx.query<JobRow>(sql`
    select ${jobColumns} from processing_jobs
    where organization_id = ${organization} and id = ${id} and deleted_at is null for update`)
  return row ?? null
}

/** Hides a job from OGC API - Processes. */
export async function markJobDismissed(
  tx: Tx,
  organization: string,
  id: string,
  at: OrganizationTime,
): Promise<JobRow | null> {
  const [row] = await tx.query<JobRow>(sql`
    update processing_jobs set dismissed_at = coalesce(dismissed_at, ${at}::timestamptz)
    where organization_id = ${organization} and id = ${id} and deleted_at is null
    returning ${jobColumns}`)
  return row ?? null
}

/**
 * The newest completed job of a project with this result, if its items still exist. Pixels of outside workers are not
 * verified to be those of the process, and are never shared.
 */
export async function findJobWithResult(
  db: SqlStatementRunner,
  organization: string,
  { project_id, collection_id, result_key }: Pick<JobRow, 'project_id' | 'collection_id'> & { result_key: string },
): Promise<JobRow | null> {
  const [row] = await db.query<JobRow>(sql`
    select ${jobColumns} from processing_jobs j
    where j.organization_id = ${organization} and j.project_id = ${project_id} and j.result_key = ${result_key}
      and j.status = 'completed' and j.worker = 'server' and j.reused_job_id is null and j.deleted_at is null
      and j.collection_id is not distinct from ${collection_id}::uuid
      and (select count(*) from items i
        where i.organization_id = ${organization} and i.id = any(j.item_ids) and i.deleted_at is null
          and i.lifecycle_state <> 'expired') = cardinality(j.item_ids)
    order by j.created_at desc, j.id desc
    limit 1`)
  return row ?? null
}

/** Applies a transition of the execution that does not end it. Null, with nothing written, if the status forbids it. */
export async function updateJobStatus(
  tx: Tx,
  organization: string,
  id: string,
  {
    move,
    at,
  }: { readonly move: Exclude<JobTransitionName, 'complete' | 'fail' | 'cancel'>; readonly at: OrganizationTime },
): Promise<JobRow | null> {
  const { from, to } = jobLifecycle.transitions[move]
  const [row] = await tx.query<JobRow>(sql`
    update processing_jobs
    set status = ${to}, updated_at = ${at},
        started_at = case when ${to} = 'running' then coalesce(started_at, ${at}::timestamptz) else started_at end
    where organization_id = ${organization} and id = ${id} and status = any(${from ?? []}::text[])
    returning ${jobColumns}`)
  return row ?? null
}

/** Keeps the files that a worker has registered, to compare those of a repeated call with them. */
export async function updateRegisteredOutputs(
  tx: Tx,
  organization: string,
  id: string,
  outputs: readonly RegisteredOutput[],
): Promise<void> {
  await tx.query(sql`
    update processing_jobs set plan = jsonb_set(plan, '{registered_outputs}', ${sql.json(outputs)}::jsonb)
    where organization_id = ${organization} and id = ${id}`)
}

/** The collection in which the results of a job are. */
export async function updateJobCollection(
  tx: Tx,
  organization: string,
  id: string,
  collection_id: string,
): Promise<void> {
  await tx.query(sql`
    update processing_jobs set collection_id = ${collection_id}
    where organization_id = ${organization} and id = ${id}`)
}

export interface JobEnd {
  readonly move: 'complete' | 'fail' | 'cancel'
  readonly at: OrganizationTime
  readonly captured_credits: number
  readonly item_ids: readonly string[]
  /** Null for a job without a result of its own. */
  readonly signed: { readonly receipt: object; readonly receipt_jws: string } | null
  readonly failure: { readonly code: string; readonly text: string } | null
}

/**
 * Ends the execution and the settlement in one statement, because no job may have one without the other. Null, with nothing
 * written, if it has ended.
 */
export async function markJobEnded(tx: Tx, organization: string, id: string, end: JobEnd): Promise<JobRow | null> {
  const { from, to } = jobLifecycle.transitions[end.move]
  const settlement = jobPaymentLifecycle.transitions[end.move === 'complete' ? 'capture' : 'release'].to
  const [row] = await tx.query<JobRow>(sql`
    update processing_jobs
    set status = ${to}, settlement = ${settlement}, captured_credits = ${end.captured_credits},
        item_ids = ${end.item_ids}::uuid[], receipt = ${end.signed === null ? null : sql.json(end.signed.receipt)}::jsonb,
        receipt_jws = ${end.signed?.receipt_jws ?? null},
        failure_code = ${end.failure?.code ?? null}, failure_text = ${end.failure?.text ?? null},
        progress = case when ${to} = 'completed' then 1 else progress end, lease_until = null,
        finished_at = ${end.at}, updated_at = ${end.at}
    where organization_id = ${organization} and id = ${id} and status = any(${from ?? []}::text[])
    returning ${jobColumns}`)
  return row ?? null
}

/** Gives a job to a worker until a time. */
export async function claimJob(
  tx: Tx,
  organization: string,
  id: string,
  lease: { readonly worker: JobRow['worker']; readonly attempt: number; readonly lease_until: ProcessClockTime },
): Promise<JobRow> {
  const [row] = await tx.query<JobRow>(sql`
    update processing_jobs
    set worker = ${lease.worker}, attempt = ${lease.attempt}, lease_until = ${lease.lease_until}, progress = 0
    where organization_id = ${organization} and id = ${id}
    returning ${jobColumns}`)
  return row!
}

/** Extends the lease of the attempt and records its progress. False if the attempt has lost the job. */
export async function renewJobLease(
  db: SqlStatementRunner,
  organization: string,
  { id, attempt }: Pick<JobRow, 'id' | 'attempt'>,
  { lease_until, progress }: { readonly lease_until: ProcessClockTime; readonly progress: number },
): Promise<boolean> {
  const rows = await db.query(sql`
    update processing_jobs set lease_until = ${lease_until}, progress = greatest(progress, ${progress})
    where organization_id = ${organization} and id = ${id} and attempt = ${attempt} and status = 'running'
    returning id`)
  return rows.length > 0
}

/** Counts an attempt that ended with the process of the server. */
export async function updateJobLostAttempts(tx: Tx, organization: string, id: string): Promise<JobRow> {
  const [row] = await tx.query<JobRow>(sql`
    update processing_jobs set lost_attempts = lost_attempts + 1
    where organization_id = ${organization} and id = ${id}
    returning ${jobColumns}`)
  return row!
}

/** False if the attempt has lost the job: it was cancelled, or another worker has it. */
export async function isJobLeaseHeld(
  db: SqlStatementRunner,
  organization: string,
  { id, attempt }: Pick<JobRow, 'id' | 'attempt'>,
): Promise<boolean> {
  const rows = await db.query(sql`
    select id from processing_jobs
    where organization_id = ${organization} and id = ${id} and attempt = ${attempt} and status = 'running'`)
  return rows.length > 0
}

/** Ends the leases of workers of the server. */
export async function markServerJobLeasesEnded(db: SqlStatementRunner, organization: string): Promise<void> {
  await db.query(sql`
    update processing_jobs set lease_until = to_timestamp(0)
    where organization_id = ${organization} and status = 'running' and worker = 'server'`)
}

export async function markJobDeleted(tx: Tx, organization: string, id: string, at: OrganizationTime): Promise<void> {
  await tx.query(sql`
    update processing_jobs set deleted_at = ${at}, updated_at = ${at}
    where organization_id = ${organization} and id = ${id}`)
}
