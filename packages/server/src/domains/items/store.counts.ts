import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { noCollectionId } from '../../platform/database/item-counts/no-collection.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { countCollectionConditions, type CollectionScope } from './search/store.collections.ts'
import { projectScopeCondition, type SearchProjectScope } from './search/store.scope.ts'

/** Condition on the count table `t` for the rows that a search adds up; requires `withReadableProjects`. */
export const storedCountRowsCondition = (
  organization: string,
  scope: SearchProjectScope,
  collections: CollectionScope | null,
): Sql =>
  sql.join(
    [
      sql`t.organization_id = ${organization} and t.found > 0 and ${projectScopeCondition(scope, sql`t.project_id`)}`,
      ...countCollectionConditions(collections),
    ],
    sql` and `,
  )

/** SQL expression: the stored count of items of a search without other conditions. */
export const storedItemCountSql = (
  organization: string,
  scope: SearchProjectScope,
  collections: CollectionScope | null,
): Sql => sql`
  (select coalesce(sum(t.found), 0)::bigint from item_counts t where ${storedCountRowsCondition(organization, scope, collections)})`

/** SQL expression: the stored count of items that start in whole months, in `[from, before)`; null is unbounded. */
export const storedMonthsCountSql = (
  organization: string,
  scope: SearchProjectScope,
  collections: CollectionScope | null,
  { from, before }: { readonly from: Date | null; readonly before: Date | null },
): Sql => {
  const month = (time: Date): Sql => sql`item_month(${time}::timestamptz)`
  const condition = sql.join(
    [
      sql`${storedCountRowsCondition(organization, scope, collections)}`,
      ...(from ? [sql`t.month >= ${month(from)}`] : []),
      ...(before ? [sql`t.month < ${month(before)}`] : []),
    ],
    sql` and `,
  )
  return sql`(select coalesce(sum(t.found), 0)::bigint from item_months t where ${condition})`
}

/** Condition on the table `i` for expired items that no sweep has marked yet: stored counts still include them. */
export const overdueItemCondition = (organization: string, now: OrganizationTime): Sql => sql`
  i.organization_id = ${organization} and i.expires_at <= ${now}::timestamptz and i.deleted_at is null
    and i.lifecycle_state <> 'expired'`

/** True if the organization has an expired item that no sweep has marked yet: stored counts still include it. */
export async function hasUnsweptExpiredItems(
  db: SqlStatementRunner,
  organization: string,
  now: OrganizationTime,
): Promise<boolean> {
  const [row] = await db.query<{ overdue: boolean }>(sql`
    select exists (
      select 1 from items i where ${overdueItemCondition(organization, now)}) as overdue`)
  return row?.overdue ?? false
}

/** The scope of an item list within an organization. */
export interface ItemListScope {
  readonly project_id?: string
  readonly collection_id?: string
  /** Only items that are in no collection. */
  readonly uncollected?: boolean
  readonly now: OrganizationTime
}

/** Exact count of the items that are neither deleted nor expired, swept or not. */
export async function countListedItems(
  db: SqlStatementRunner,
  organization: string,
  scope: ItemListScope,
): Promise<number> {
  const { project_id, collection_id, uncollected, now } = scope
  const scopeCondition = (table: Sql, noCollectionCondition: Sql): Sql =>
    sql.join(
      [
        sql`${table}.organization_id = ${organization}`,
        ...(project_id === undefined ? [] : [sql`${table}.project_id = ${project_id}`]),
        ...(collection_id === undefined ? [] : [sql`${table}.collection_id = ${collection_id}`]),
        ...(uncollected ? [noCollectionCondition] : []),
      ],
      sql` and `,
    )
  const [row] = await db.query<{ total: number }>(sql`
    select
      (select coalesce(sum(t.found), 0)::bigint from item_counts t where ${scopeCondition(sql`t`, sql`t.collection_id = ${noCollectionId}`)})
      - (select count(*) from items i
          where ${scopeCondition(sql`i`, sql`i.collection_id is null`)} and i.expires_at <= ${now} and i.deleted_at is null
            and i.lifecycle_state <> 'expired') as total`)
  return row?.total ?? 0
}
