import { jobLifecycle } from '@swath/contract/lifecycles.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { JobPlan } from './job-plan.ts'

/** A job, deleted or not, and the items that it would write. */
export async function findPlannedJobItems(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<{ has_ended: boolean; is_completed: boolean; planned_item_ids: string[] } | null> {
  const [row] = await db.query<{ status: string; plan: JobPlan }>(sql`
    select status, plan from processing_jobs where organization_id = ${organization} and id = ${id}`)
  if (!row) return null
  return {
    has_ended: (jobLifecycle.terminal as readonly string[]).includes(row.status),
    is_completed: row.status === 'completed',
    planned_item_ids: row.plan.items.map((item) => item.id),
  }
}
