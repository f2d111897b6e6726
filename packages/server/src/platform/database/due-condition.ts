import type { OrganizationCurrentTimes } from '../clock.ts'
import { sql, type Sql } from './sql.ts'

/**
 * The SQL condition that a due time has passed on the clock of the row's organization, for queries over all organizations
 * but sandboxes, or over one. The first comparison uses one time for all of them, so that an index on the column is used.
 *
 * @param dueAt a column of type timestamptz.
 * @param organization the organization column of the row.
 */
export function dueCondition(dueAt: Sql, organization: Sql, times: OrganizationCurrentTimes): Sql {
  if (times.organization !== null)
    return sql`(${organization} = ${times.organization}::uuid and ${dueAt} <= ${times.byOrganization.get(times.organization) ?? times.processTime}::timestamptz)`
  return sql`(not swath_is_sandbox(${organization}) and ${anyOrganizationCondition(dueAt, organization, times)})`
}

function anyOrganizationCondition(dueAt: Sql, organization: Sql, times: OrganizationCurrentTimes): Sql {
  const { processTime, byOrganization } = times
  if (byOrganization.size === 0) return sql`${dueAt} <= ${processTime}::timestamptz`
  const latestTime = new Date(
    Math.max(processTime.getTime(), ...[...byOrganization.values()].map((time) => time.getTime())),
  )
  return sql`(${dueAt} <= ${latestTime}::timestamptz and ${dueAt} <= coalesce((
    select clock.now from unnest(${[...byOrganization.keys()]}::uuid[], ${[...byOrganization.values()]}::timestamptz[]) as clock (id, now)
    where clock.id = ${organization}), ${processTime}::timestamptz))`
}
