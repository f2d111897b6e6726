import type { ItemType } from '@swath/contract/schemas/item.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import type { Cql2Filter } from './cql2/ast.ts'
import { isEmptyCollectionScope, itemCollectionConditions, type CollectionScope } from './store.collections.ts'
import type { MonthRange } from '../retention/whole-months.ts'
import { cql2ToSql } from './store.cql2-to-sql.ts'
import { spatialConditions, type SpatialSearchPolygon, type SpatialSearchBox } from './store.spatial.ts'
import { propertyConditionSql, type PropertyCondition } from './store.property-conditions.ts'
import { projectScopeCondition, type SearchProjectScope } from './store.scope.ts'
import type { SortCursor, SortKey } from './store.sort.ts'

/** The conditions of an item search. */
export interface ItemFilter {
  readonly projects: SearchProjectScope
  /** STAC ids. */
  readonly ids: readonly string[] | null
  /** Items that intersect any of them; null matches all, an empty list none. */
  readonly boxes: readonly SpatialSearchBox[] | null
  readonly area: SpatialSearchPolygon | null
  readonly from: Date | null
  readonly to: Date | null
  /** The whole months between them, if they were computed before. */
  readonly months?: MonthRange | null
  /** Null is everywhere. */
  readonly collections: CollectionScope | null
  readonly type: ItemType | null
  readonly tests: readonly PropertyCondition[]
  readonly filter: Cql2Filter | null
  /** Items that expire by then are not found. */
  readonly now: OrganizationTime
}

export interface ItemSearch extends ItemFilter {
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly offset: number
  /** The page starts after this row; null is the beginning. */
  readonly after: SortCursor | null
}

/** The items in stored counts: neither deleted nor marked as expired. */
export const countedItemCondition = (organization: string): Sql =>
  sql`i.organization_id = ${organization} and i.deleted_at is null and i.lifecycle_state <> 'expired'`

/** The condition of visible items: neither deleted nor expired, whether or not a sweep has marked them. */
export const visibleItemCondition = (organization: string, now: OrganizationTime): Sql =>
  sql`${countedItemCondition(organization)} and (i.expires_at is null or i.expires_at > ${now}::timestamptz)`

/** All conditions on the table `i` except those of time. */
export const itemFilterConditions = (
  organization: string,
  search: ItemFilter,
  kind = visibleItemCondition(organization, search.now),
): Sql[] => [
  kind,
  projectScopeCondition(search.projects, sql`i.project_id`),
  ...(search.ids ? [sql`i.stac_id = any(${search.ids}::text[])`] : []),
  ...spatialConditions(search),
  ...itemCollectionConditions(search.collections),
  ...(search.type ? [sql`i.type = ${search.type}`] : []),
  ...search.tests.map(propertyConditionSql),
  ...(search.filter ? [cql2ToSql(search.filter)] : []),
]

export const andSql = sql` and `

/**
 * Conditions of two disjoint sets of items that intersect a time interval: those that start in it (nearly all; one range
 * of the time index), and the few that started before it and last into it.
 */
export function timeIntervalConditions({ from, to }: ItemFilter): Sql[][] {
  const beginCondition = to ? [sql`i.covers_from <= ${to}::timestamptz`] : []
  if (!from) return [beginCondition]
  const start = sql`${from}::timestamptz`
  return [
    [...beginCondition, sql`i.covers_from >= ${start}`],
    [sql`i.lasts and i.covers_from < ${start} and i.covers_to >= ${start}`],
  ]
}

/** All conditions on the table `i`; requires `withReadableProjects`. */
export function itemSearchCondition(organization: string, search: ItemFilter): Sql {
  const kinds = timeIntervalConditions(search).map((conditions) => sql.join(conditions, andSql))
  const time = kinds.length > 1 ? [sql`(${sql.join(kinds, sql` or `)})`] : timeIntervalConditions(search).flat()
  return sql.join([...itemFilterConditions(organization, search), ...time], andSql)
}

/** True if a search has only project, collection and time conditions, which stored counts can answer. */
export const isCountableFromStoredCounts = (search: ItemFilter): boolean =>
  search.area === null && hasOnlyTimeAndAreaConditions(search)

/** The same, or with an area. */
export const hasOnlyTimeAndAreaConditions = (search: ItemFilter): boolean =>
  search.ids === null &&
  search.boxes === null &&
  search.filter === null &&
  search.type === null &&
  search.tests.length === 0

/** True if the search cannot match anything. */
export const isEmptySearch = ({ boxes, ids, collections }: ItemFilter): boolean =>
  boxes?.length === 0 || ids?.length === 0 || isEmptyCollectionScope(collections)
