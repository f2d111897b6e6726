import type { OrganizationTimes } from '../clock.ts'
import { sql, type Sql } from './sql.ts'

/**
 * The condition that a moment has come by the clock of its row's organization, for sweeps over the rows of all. The first comparison is
 * with one moment for all of them, so that an index on the column finds the rows.
 *
 * @param moment a column of type timestamptz.
 * @param organization the column with the organization of the row.
 */
export function isDue(moment: Sql, organization: Sql, { usual, own }: OrganizationTimes): Sql {
  if (own.size === 0) return sql`${moment} <= ${usual}::timestamptz`
  const latest = new Date(Math.max(usual.getTime(), ...[...own.values()].map((time) => time.getTime())))
  return sql`(${moment} <= ${latest}::timestamptz and ${moment} <= coalesce((
    select clock.now from unnest(${[...own.keys()]}::uuid[], ${[...own.values()]}::timestamptz[]) as clock (id, now)
    where clock.id = ${organization}), ${usual}::timestamptz))`
}
