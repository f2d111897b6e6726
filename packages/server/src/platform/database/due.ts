import type { OrganizationTimes } from '../clock.ts'
import { sql, type Sql } from './sql.ts'

/**
 * The SQL condition that a due time has passed on the clock of the row's organization, for queries over all organizations.
 * The first comparison uses one time for all of them, so that an index on the column is used.
 *
 * @param dueAt a column of type timestamptz.
 * @param organization the organization column of the row.
 */
export function isDue(moment: Sql, organization: Sql, { usual, own }: OrganizationTimes): Sql {
  if (own.size === 0) return sql`${moment} <= ${usual}::timestamptz`
  const latest = new Date(Math.max(usual.getTime(), ...[...own.values()].map((time) => time.getTime())))
  return sql`(${moment} <= ${latest}::timestamptz and ${moment} <= coalesce((
    select clock.now from unnest(${[...own.keys()]}::uuid[], ${[...own.values()]}::timestamptz[]) as clock (id, now)
    where clock.id = ${organization}), ${usual}::timestamptz))`
}
