import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** The receipts of processing jobs by job id: inputs, versions, parameters and checksums. Jobs without a result have none. */
export async function findReceipts(
  db: Queryable,
  organization: string,
  jobs: readonly string[],
): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  if (jobs.length === 0) return new Map()
  const rows = await db.query<{ id: string; receipt: Record<string, unknown> }>(sql`
    select id, receipt from processing_jobs
    where organization_id = ${organization} and id = any(${jobs}::uuid[]) and receipt is not null`)
  return new Map(rows.map(({ id, receipt }) => [id, receipt]))
}
