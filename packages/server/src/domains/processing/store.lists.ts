import { jobLifecycle } from '@swath/contract/lifecycles.ts'
import type { OrganizationTime, ProcessClockTime } from '../../platform/clock.ts'
import { listCondition } from '../../platform/database/conditions/list-condition.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import type { DueRowsQuery } from '../../platform/sandbox/due-rows.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { jobSummaryColumns, type JobSummaryRow } from './store.ts'

export interface JobFilter {
  readonly organization: string
  /** Null: jobs of all projects. */
  readonly projects: readonly string[] | null
  readonly processes: readonly string[] | null
  readonly statuses: readonly string[] | null
  readonly ids: readonly string[] | null
  /** Only jobs that were created then. */
  readonly created?: { readonly from: Date | null; readonly to: Date | null } | null
  /** Only jobs that have run so long. */
  readonly duration?: { readonly min_s: number | null; readonly max_s: number | null; readonly now: OrganizationTime }
  readonly excludeDismissed?: boolean
  /** True: only jobs that clip, of items or areas. */
  readonly clips?: boolean
  readonly sort: { readonly by: keyof typeof jobSortColumns; readonly ascending: boolean }
  readonly limit: number
  readonly offset: number
}

export const jobSortColumns = {
  created: sql`created_at`,
  updated: sql`updated_at`,
  started: sql`started_at`,
  finished: sql`finished_at`,
  status: sql`status collate "C"`,
  processId: sql`process_id collate "C"`,
  credits: sql`captured_credits`,
} as const

const isCreatedIn = ({ from, to }: NonNullable<JobFilter['created']>): Sql => sql`
  (${from === null ? sql`true` : sql`created_at >= ${from}`} and ${to === null ? sql`true` : sql`created_at <= ${to}`})`

/** A job that runs has run until now; one that has not begun has no duration. */
const hasDuration = ({ min_s, max_s, now }: NonNullable<JobFilter['duration']>): Sql => {
  const duration_s = sql`extract(epoch from coalesce(finished_at, ${now}::timestamptz) - started_at)`
  return sql`
    (${min_s === null ? sql`true` : sql`${duration_s} >= ${min_s}`}
      and ${max_s === null ? sql`true` : sql`${duration_s} <= ${max_s}`})`
}

export function listJobs(db: SqlStatementRunner, filter: JobFilter): Promise<RowPage<JobSummaryRow>> {
  const where = sql`
    organization_id = ${filter.organization} and deleted_at is null
      and ${filter.projects === null ? sql`true` : sql`project_id = any(${filter.projects}::uuid[])`}
      and ${listCondition(sql`process_id`, filter.processes)} and ${listCondition(sql`status`, filter.statuses)}
      and ${listCondition(sql`id::text`, filter.ids)}
      and ${filter.created ? isCreatedIn(filter.created) : sql`true`}
      and ${filter.duration ? hasDuration(filter.duration) : sql`true`}
      and ${filter.excludeDismissed ? sql`dismissed_at is null` : sql`true`}
      and ${filter.clips ? sql`(process_id = 'clip' or clip_area is not null)` : sql`true`}`
  const direction = filter.sort.ascending ? sql`asc` : sql`desc`
  const orderBy = sql`${jobSortColumns[filter.sort.by]} ${direction} nulls last, id ${direction}`
  const { limit, offset } = filter
  return selectPage(db, { columns: jobSummaryColumns, from: sql`processing_jobs`, where, orderBy, limit, offset })
}

/** The number of jobs of a project that have not ended. */
export async function countOpenJobs(db: SqlStatementRunner, organization: string, project: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from processing_jobs
    where organization_id = ${organization} and project_id = ${project}
      and not status = any(${jobLifecycle.terminal}::text[])`)
  return row?.count ?? 0
}

/** The ids of jobs that have not ended, oldest first. */
export async function listOpenJobIds(db: SqlStatementRunner, organization: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from processing_jobs
    where organization_id = ${organization} and not status = any(${jobLifecycle.terminal}::text[])
    order by id`)
  return rows.map(({ id }) => id)
}

const isRunnable = sql`
  (status in ('dispatched', 'running') or (status = 'pending' and auto_start and reused_job_id is null))`

/** Jobs that should run and whose worker or task was lost: the lease ended, or none began since a time. */
export async function listLostJobs(
  db: SqlStatementRunner,
  organization: string,
  { stalled_since, processTime }: { readonly stalled_since: OrganizationTime; readonly processTime: ProcessClockTime },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from processing_jobs
    where organization_id = ${organization}
      and ${isRunnable}
      and case when lease_until is null then updated_at <= ${stalled_since} else lease_until <= ${processTime} end
    order by updated_at, id
    limit 1000`)
  return rows.map(({ id }) => id)
}

/** Jobs whose leases have ended, and when jobs count as lost that have none. */
export const dueJobRows = (
  organization: string,
  { stalled_ms, processTime }: { readonly stalled_ms: number; readonly processTime: ProcessClockTime },
): readonly DueRowsQuery[] => [
  {
    from: sql`processing_jobs`,
    where: sql`organization_id = ${organization} and ${isRunnable} and lease_until <= ${processTime}::timestamptz`,
    at: sql`updated_at`,
    stops_clock: false,
  },
  {
    from: sql`processing_jobs`,
    where: sql`organization_id = ${organization} and ${isRunnable} and lease_until is null`,
    at: sql`updated_at`,
    delay_ms: stalled_ms,
    stops_clock: false,
  },
]
