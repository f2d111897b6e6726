import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ReportRow, ReportScope } from './report.ts'
import { periodDateFormats } from './store.ts'

/** The projects of the assets, items and orders that bytes were sent of. */
const egressProject = sql`coalesce(ai.project_id, i.project_id, o.project_id)`

/**
 * Egress by period and, for the whole organization, calls by operation. Days are whole UTC days: of the first one and of
 * the last one that begins before the end, all is counted, as in the journal of egress.
 */
export const listUsageSums = (db: SqlStatementRunner, scope: ReportScope): Promise<ReportRow[]> => {
  const format = periodDateFormats[scope.period]
  const lastMoment = new Date(scope.to.getTime() - 1)
  const [first_day, last_day] = [scope.from, lastMoment].map((time) => time.toISOString().slice(0, 10))
  return db.query<ReportRow>(sql`
    select period, operation, sum(calls)::bigint as calls, sum(failed_calls)::bigint as failed_calls,
      sum(duration_ms)::bigint as duration_ms, sum(egress_bytes)::bigint as egress_bytes, sum(transfers)::bigint as transfers
    from (
      select to_char(c.day, ${format}) as period, c.operation, c.calls, c.failed as failed_calls, c.duration_ms,
        0 as egress_bytes, 0 as transfers
      from usage_counts c
      where c.organization_id = ${scope.organization} and ${scope.withoutProject}::boolean
        and c.day between ${first_day}::date and ${last_day}::date
      union all
      select to_char(e.day, ${format}), null, 0, 0, 0, e.bytes, e.transfers
      from egress_journal e
      left join assets a on e.subject_type = 'asset' and a.organization_id = e.organization_id and a.id = e.subject_id
      left join items ai on ai.organization_id = a.organization_id and ai.id = a.item_id
      left join items i on e.subject_type = 'item' and i.organization_id = e.organization_id and i.id = e.subject_id
      left join orders o on e.subject_type = 'order' and o.organization_id = e.organization_id and o.id = e.subject_id
      where e.organization_id = ${scope.organization}
        and e.day between ${first_day}::date and ${last_day}::date
        and (${egressProject} = any(${scope.projects}::uuid[]) or (${scope.withoutProject}::boolean and ${egressProject} is null))
    ) counted
    group by 1, 2 order by 1, 2 nulls last`)
}
