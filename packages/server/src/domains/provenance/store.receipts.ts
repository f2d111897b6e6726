import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** The receipt of a job. */
export interface JobReceipt {
  /** Inputs, versions, parameters and checksums. */
  readonly receipt: Record<string, unknown>
  /** The same as signed JWS; null for a job of an earlier version. */
  readonly receipt_jws: string | null
}

/** The receipts of processing jobs by job id. Jobs without a result have none. */
export async function findJobReceipts(
  db: SqlStatementRunner,
  organization: string,
  jobs: readonly string[],
): Promise<ReadonlyMap<string, JobReceipt>> {
  if (jobs.length === 0) return new Map()
  const rows = await db.query<JobReceipt & { id: string }>(sql`
    select id, receipt, receipt_jws from processing_jobs
    where organization_id = ${organization} and id = any(${jobs}::uuid[]) and receipt is not null`)
  return new Map(rows.map(({ id, ...receipt }) => [id, receipt]))
}
