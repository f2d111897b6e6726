import { sql, type Sql } from '../../../platform/database/sql.ts'
import { findWholeMonths } from '../retention/whole-months.ts'
import { storedItemCountSql, storedMonthsCountSql } from '../store.counts.ts'
import { andSql, countedItemCondition, itemFilterConditions, type ItemFilter } from './store.search-conditions.ts'

/**
 * The exact count of items that start in the searched interval: stored counts for whole months, index-only scans for the
 * rest. Expired items that no sweep has marked are included there and subtracted.
 */
export function countItemsBeginningInInterval(organization: string, search: ItemFilter): Sql {
  const { from, to } = search
  const countedConditions = itemFilterConditions(organization, search, countedItemCondition(organization))
  const countQuery = (...more: Sql[]): Sql =>
    sql`(select count(*) from items i where ${sql.join([...countedConditions, ...more], andSql)})`
  const fromCondition = from ? [sql`i.covers_from >= ${from}::timestamptz`] : []
  const toCondition = to ? [sql`i.covers_from <= ${to}::timestamptz`] : []
  const counted = countFromStoredCounts(organization, search, countQuery, [fromCondition, toCondition])
  return sql`(${counted} - ${countOverdue(organization, search, [...fromCondition, ...toCondition])})`
}

/**
 * The few items that have expired and that no sweep has marked. They are materialized so that the expiry index finds them:
 * in one condition with the interval the planner prefers the time index, and reads every item of the interval.
 */
function countOverdue(organization: string, search: ItemFilter, timeConditions: readonly Sql[]): Sql {
  const { now } = search
  const conditions = [...itemFilterConditions(organization, search, sql`true`), ...timeConditions]
  // The index has no time of the item: without an interval, no row of the table is read.
  const timeColumn = timeConditions.length > 0 ? sql`, i.covers_from` : sql.empty
  return sql`(
    with overdue as materialized (
      select i.project_id, i.collection_id${timeColumn} from items i
      where ${countedItemCondition(organization)} and i.expires_at <= ${now}::timestamptz)
    select count(*) from overdue i where ${sql.join(conditions, andSql)})`
}

function countFromStoredCounts(
  organization: string,
  { projects, collections, from, to, months = findWholeMonths(from, to) }: ItemFilter,
  countQuery: (...time: Sql[]) => Sql,
  [fromCondition, toCondition]: readonly [from: readonly Sql[], to: readonly Sql[]],
): Sql {
  if (!from && !to) return storedItemCountSql(organization, projects, collections)
  if (!months) return countQuery(...fromCondition, ...toCondition)
  return sql`(${sql.join(
    [
      storedMonthsCountSql(organization, projects, collections, months),
      ...(months.from ? [countQuery(...fromCondition, sql`i.covers_from < ${months.from}::timestamptz`)] : []),
      ...(months.before ? [countQuery(sql`i.covers_from >= ${months.before}::timestamptz`, ...toCondition)] : []),
    ],
    sql` + `,
  )})`
}
