import { noCollectionId } from '../../../platform/database/item-counts/no-collection.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'

/** Where searched items are: in one of the collections, or in none and in one of the projects. */
export interface CollectionScope {
  readonly collections: readonly string[]
  readonly projects: readonly string[]
}

/** The items of one collection. */
export const singleCollection = (id: string): CollectionScope => ({ collections: [id], projects: [] })

/** The condition on rows that have a collection and a project; none for null, which is everywhere. */
function collectionConditions(scope: CollectionScope | null, table: Sql, isInNone: Sql): Sql[] {
  if (scope === null) return []
  const isInOne = sql`${table}.collection_id = any(${scope.collections}::uuid[])`
  // Without projects the condition is that of the index of collections.
  if (scope.projects.length === 0) return [isInOne]
  return [sql`(${isInOne} or (${isInNone} and ${table}.project_id = any(${scope.projects}::uuid[])))`]
}

const itemTable = sql`i`

/** Condition on the table `i` of items. */
export const itemCollectionConditions = (scope: CollectionScope | null): Sql[] =>
  collectionConditions(scope, itemTable, sql`i.collection_id is null`)

const countTable = sql`t`

/** Condition on a table `t` of stored counts. */
export const countCollectionConditions = (scope: CollectionScope | null): Sql[] =>
  collectionConditions(scope, countTable, sql`t.collection_id = ${noCollectionId}`)

/** True if no item can be there. */
export const isEmptyCollectionScope = (scope: CollectionScope | null): boolean =>
  scope !== null && scope.collections.length === 0 && scope.projects.length === 0
