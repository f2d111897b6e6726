import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import type { DelegationStopReason } from '@swath/contract/delegations.ts'
import { delegationStopReasonSql } from '../../../platform/database/statements/creator-condition.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { PlanName } from '../../../platform/setting-types.ts'

/** The token of the outside worker of a job, with the columns that authentication needs. */
export interface WorkerTokenRow {
  readonly organization_id: string
  readonly job_id: string
  readonly expires_at: Date
  readonly organization_status: string
  readonly plan: PlanName
  /** The id of the user, or of the API key, that handed the job over. */
  readonly created_by: string
  readonly stop_reason: DelegationStopReason | null
}

/** Replaces the token of a job; needs the unscoped connection for the directory of hashes. */
export async function upsertWorkerToken(
  tx: Tx,
  token: Pick<WorkerTokenRow, 'organization_id' | 'job_id' | 'expires_at' | 'created_by'> & {
    readonly created_at: OrganizationTime
  },
  hash: string,
): Promise<void> {
  await deleteWorkerToken(tx, token.organization_id, token.job_id)
  await tx.query(sql`
    insert into worker_tokens (organization_id, job_id, token_hash, expires_at, created_by, created_at)
    values (${token.organization_id}, ${token.job_id}, ${hash}, ${token.expires_at}, ${token.created_by},
            ${token.created_at})`)
  await insertWorkerTokenHash(tx, token, hash)
}

const insertWorkerTokenHash = (
  tx: Tx,
  { organization_id, job_id }: Pick<WorkerTokenRow, 'organization_id' | 'job_id'>,
  hash: string,
): Promise<unknown> =>
  tx.query(sql`
    insert into worker_token_directory (token_hash, organization_id, job_id)
    values (${hash}, ${organization_id}, ${job_id})`)

/** Gives the token of a job another secret; needs the unscoped connection for the directory of hashes. */
export async function updateWorkerTokenHash(
  tx: Tx,
  token: Pick<WorkerTokenRow, 'organization_id' | 'job_id'>,
  hash: string,
): Promise<void> {
  const { organization_id, job_id } = token
  await tx.query(sql`
    delete from worker_token_directory where organization_id = ${organization_id} and job_id = ${job_id}`)
  await insertWorkerTokenHash(tx, token, hash)
  await tx.query(sql`
    update worker_tokens set token_hash = ${hash} where organization_id = ${organization_id} and job_id = ${job_id}`)
}

/** Needs the unscoped connection. */
export async function deleteWorkerToken(tx: Tx, organization: string, job: string): Promise<void> {
  await tx.query(sql`
    delete from worker_token_directory where organization_id = ${organization} and job_id = ${job}`)
  await tx.query(sql`delete from worker_tokens where organization_id = ${organization} and job_id = ${job}`)
}

/** The organization and the job of a token; needs the unscoped connection. */
export async function findWorkerTokenSubject(
  unscoped: SqlStatementRunner,
  hash: string,
): Promise<Pick<WorkerTokenRow, 'organization_id' | 'job_id'> | null> {
  const [row] = await unscoped.query<Pick<WorkerTokenRow, 'organization_id' | 'job_id'>>(sql`
    select organization_id, job_id from worker_token_directory where token_hash = ${hash}`)
  return row ?? null
}

/**
 * The token of a job; null if it has another one than that of the hash by the time it is read.
 *
 * @param now for the expiry of the API key that handed the job over.
 */
export async function findWorkerToken(
  db: SqlStatementRunner,
  { organization_id: organization, job_id: job }: Pick<WorkerTokenRow, 'organization_id' | 'job_id'>,
  hash: string,
  now: OrganizationTime,
): Promise<WorkerTokenRow | null> {
  const workerToken = {
    organization: sql`t.organization_id`,
    creator: sql`coalesce(t.created_by, j.created_by)`,
    project: sql`j.project_id`,
    permission: 'write',
  } as const
  const [row] = await db.query<WorkerTokenRow>(sql`
    select t.organization_id, t.job_id, t.expires_at, coalesce(t.created_by, j.created_by) as created_by, o.status as organization_status, o.plan,
      ${delegationStopReasonSql(workerToken, now)} as stop_reason
    from worker_tokens t
    join processing_jobs j on j.organization_id = t.organization_id and j.id = t.job_id
    join organizations o on o.organization_id = t.organization_id
    where t.organization_id = ${organization} and t.job_id = ${job} and t.token_hash = ${hash}`)
  return row ?? null
}
