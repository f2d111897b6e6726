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
  readonly stop_reason: DelegationStopReason | null
}

/** Replaces the token of a job; needs the unscoped connection for the directory of hashes. */
export async function upsertWorkerToken(
  tx: Tx,
  token: Pick<WorkerTokenRow, 'organization_id' | 'job_id' | 'expires_at'> & { readonly created_at: OrganizationTime },
  hash: string,
): Promise<void> {
  await deleteWorkerToken(tx, token.organization_id, token.job_id)
  await tx.query(sql`
    insert into worker_tokens (organization_id, job_id, token_hash, expires_at, created_at)
    values (${token.organization_id}, ${token.job_id}, ${hash}, ${token.expires_at}, ${token.created_at})`)
  await tx.query(sql`
    insert into worker_token_directory (token_hash, organization_id, job_id)
    values (${hash}, ${token.organization_id}, ${token.job_id})`)
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

export async function findWorkerToken(
  db: SqlStatementRunner,
  organization: string,
  job: string,
  now: OrganizationTime,
): Promise<WorkerTokenRow | null> {
  const [row] = await db.query<WorkerTokenRow>(sql`
    select t.organization_id, t.job_id, t.expires_at, o.status as organization_status, o.plan,
      ${delegationStopReasonSql({ organization: sql`t.organization_id`, creator: sql`j.created_by` }, now)} as stop_reason
    from worker_tokens t
    join processing_jobs j on j.organization_id = t.organization_id and j.id = t.job_id
    join organizations o on o.organization_id = t.organization_id
    where t.organization_id = ${organization} and t.job_id = ${job}`)
  return row ?? null
}
