import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { noCollectionId } from '../../../platform/database/item-counts/no-collection.ts'
import { knownTime, unknownMonth } from '../../../platform/database/item-counts/unknown-time.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import { hasUnsweptExpiredItems, storedCountRowsCondition, overdueItemCondition } from '../store.counts.ts'
import { stacCollectionIdExpression, stacCollectionIdSql } from './store.properties.ts'
import { itemCollectionConditions } from './store.collections.ts'
import { projectScopeCondition, withReadableProjects } from './store.scope.ts'
import {
  isCountableFromStoredCounts,
  isEmptySearch,
  itemSearchCondition,
  type ItemFilter,
} from './store.search-conditions.ts'

/** Counts of the matching items. Buckets (months, ten per cent of cloud cover) are keyed by their lower bound. */
export interface ItemCounts {
  readonly total: number
  readonly earliest: Date | null
  readonly latest: Date | null
  readonly months: readonly { readonly key: string; readonly count: number }[]
  /** The last bucket has the items without a cloud cover: its key is null. */
  readonly clouds: readonly { readonly key: number | null; readonly count: number }[]
  /** By the id that STAC shows. */
  readonly collections: readonly { readonly key: string; readonly count: number }[]
}

const noCounts: ItemCounts = { total: 0, earliest: null, latest: null, months: [], clouds: [], collections: [] }

/**
 * Counts all matching items: from the stored counts if they suffice and no expired item is unswept, else in one pass.
 * The month is that of an item's start time, in UTC.
 */
export async function countItems(
  db: SqlStatementRunner,
  organization: string,
  conditions: ItemFilter,
): Promise<ItemCounts> {
  if (isEmptySearch(conditions)) return noCounts
  const usesStoredCounts =
    isCountableFromStoredCounts(conditions) &&
    !conditions.from &&
    !conditions.to &&
    !(await hasUnsweptExpiredItems(db, organization, conditions.now))
  const statement = usesStoredCounts
    ? storedCountsQuery(organization, conditions)
    : computedCountsQuery(organization, conditions)
  const [row] = await db.query<ItemCounts>(statement)
  return row ?? noCounts
}

const storedCountsQuery = (organization: string, { projects, collections }: ItemFilter): Sql => sql`
  ${withReadableProjects(projects)}
  counts as materialized (
    select ${stacCollectionIdExpression(sql`nullif(t.collection_id, ${noCollectionId})`, sql`t.project_id`)} as collection,
      t.cloud, t.found as n
    from item_counts t where ${storedCountRowsCondition(organization, projects, collections)}),
  months as materialized (
    select nullif(t.month, ${unknownMonth}) as month, sum(t.found) as n, min(${knownTime(sql`t.earliest`)}) as earliest, max(${knownTime(sql`t.latest`)}) as latest
    from item_months t where ${storedCountRowsCondition(organization, projects, collections)} group by t.month)
  select (select coalesce(sum(c.n), 0)::bigint from counts c) as total,
    (select min(m.earliest) from months m) as earliest,
    (select max(m.latest) from months m) as latest,
    (select coalesce(json_agg(json_build_object('key', to_char(m.month, 'YYYY-MM'), 'count', m.n) order by m.month), '[]')
      from months m where m.month is not null) as months,
    (select coalesce(json_agg(json_build_object('key', c.key, 'count', c.n) order by c.key nulls last), '[]')
      from (select nullif(c.cloud, -1) as key, sum(c.n) as n from counts c group by 1) c) as clouds,
    (select coalesce(json_agg(json_build_object('key', c.key, 'count', c.n) order by c.n desc, c.key), '[]')
      from (
        select c.collection as key, sum(c.n) as n
        from counts c group by 1) c) as collections`

const computedCountsQuery = (organization: string, conditions: ItemFilter): Sql => sql`
    ${withReadableProjects(conditions.projects)}
    found as materialized (
      select to_char(item_month(${knownTime(sql`i.covers_from`)}), 'YYYY-MM') as month, nullif(item_cloud_band(i.cloud_cover), -1) as cloud,
             ${stacCollectionIdSql} as collection, ${knownTime(sql`i.covers_from`)} as at
      from items i where ${itemSearchCondition(organization, conditions)}),
    counted as materialized (
      select grouping(f.month, f.cloud, f.collection) as by, f.month, f.cloud, f.collection, count(*) as n
      from found f group by grouping sets ((f.month), (f.cloud), (f.collection)))
    select (select count(*) from found) as total,
      (select min(f.at) from found f) as earliest,
      (select max(f.at) from found f) as latest,
      (select coalesce(json_agg(json_build_object('key', c.month, 'count', c.n) order by c.month), '[]')
        from counted c where c.by = 3 and c.month is not null) as months,
      (select coalesce(json_agg(json_build_object('key', c.cloud, 'count', c.n) order by c.cloud nulls last), '[]')
        from counted c where c.by = 5) as clouds,
      (select coalesce(json_agg(json_build_object('key', c.collection, 'count', c.n) order by c.n desc, c.collection), '[]')
        from counted c where c.by = 6) as collections`

/** A property of items, and the JSON types of its values. */
export interface PropertyTypes {
  readonly name: string
  readonly types: readonly string[]
}

const max_properties = 500

/**
 * The properties of all visible items of some projects or collections by name, from the stored counts of their values. Those
 * of items that have expired and that no sweep has marked are included there and subtracted.
 */
export const listPropertyTypes = (
  db: SqlStatementRunner,
  organization: string,
  { projects, collections, now }: Pick<ItemFilter, 'projects' | 'collections' | 'now'>,
): Promise<PropertyTypes[]> =>
  db.query<PropertyTypes>(sql`
    ${withReadableProjects(projects)}
    counts as materialized (
      select t.name, t.type, sum(t.found) as found
      from item_properties t where ${storedCountRowsCondition(organization, projects, collections)} group by t.name, t.type),
    overdue as materialized (
      select p.name, p.type, count(*) as found
      from items i cross join lateral item_property_types(i.properties) p
      where ${sql.join(
        [
          overdueItemCondition(organization, now),
          projectScopeCondition(projects, sql`i.project_id`),
          ...itemCollectionConditions(collections),
        ],
        sql` and `,
      )}
      group by p.name, p.type)
    select c.name, array_agg(c.type order by c.type) as types
    from counts c left join overdue o on o.name = c.name and o.type = c.type
    where c.found > coalesce(o.found, 0)
    group by c.name order by c.name collate "C" limit ${sql.integer(max_properties)}`)
