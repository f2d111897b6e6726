import { sql, type Sql } from '../../../platform/database/sql.ts'
import { itemCollectionConditions, type CollectionScope } from './store.collections.ts'

/** The projects that a caller can read. */
export interface ReadableProjects {
  /** SQL condition that the caller reads every project. */
  readonly all: Sql
  /** Query of the readable projects otherwise. */
  readonly ids: Sql
  /** True if `all` probably holds: a search then tries a statement without the branches for other callers. */
  readonly presumesAll: boolean
}

/** Every project if the condition holds. Only `listRowsInProjectScope` makes it, and repeats the search if it does not hold. */
interface PresumedProjects {
  readonly presumed: Sql
}

/** The projects of a search; the permission for a single one was already checked. */
export type SearchProjectScope = { readonly project: string } | ReadableProjects | PresumedProjects

/** The scope of one project, for which the permission was already checked. */
export const createSingleProjectSearchScope = (project: string): SearchProjectScope => ({ project })

/**
 * The beginning of a statement with the CTE `readable`, which `projectScopeCondition` uses: the searched projects in one row.
 * A statement for presumed projects has none, because it ends with `presumedProjectAccessCondition`.
 */
export function withReadableProjects(scope: SearchProjectScope): Sql {
  if ('presumed' in scope) return sql`with`
  if ('project' in scope)
    return sql`with readable as materialized (select false as everything, array[${scope.project}::uuid] as ids),`
  return sql`
    with readable as materialized (
      select a.everything, case when a.everything then '{}'::uuid[] else array(${scope.ids}) end as ids
      from (select ${scope.all} as everything) a),`
}

const readableIds = sql`(select r.ids from readable r)::uuid[]`

const inReadableProjects = (scope: SearchProjectScope, project_id: Sql): Sql =>
  'presumed' in scope ? sql`true` : sql`((select r.everything from readable r) or ${project_id} = any(${readableIds}))`

/** SQL condition that a project is searched; requires `withReadableProjects`. */
export const projectScopeCondition = (scope: SearchProjectScope, project_id: Sql): Sql =>
  'project' in scope ? sql`${project_id} = ${scope.project}::uuid` : inReadableProjects(scope, project_id)

/**
 * The condition on the result of a whole search statement: the presumption about the caller's projects. It is evaluated
 * first, and without it the statement reads nothing and returns no row.
 */
export const presumedProjectAccessCondition = (scope: SearchProjectScope): Sql =>
  'presumed' in scope ? scope.presumed : sql`true`

/**
 * The rows of a search statement with `presumedProjectAccessCondition`. For a caller who is presumed to read all projects, the statement
 * checks only that; if it is not so, because the role has changed meanwhile, the statement of all callers follows.
 *
 * @param run runs the statement for a scope; it returns at least one row unless the presumption is wrong.
 */
export async function listRowsInProjectScope<Row>(
  scope: SearchProjectScope,
  run: (scope: SearchProjectScope) => Promise<Row[]>,
): Promise<Row[]> {
  if (!('presumesAll' in scope) || !scope.presumesAll) return run(scope)
  const rows = await run({ presumed: scope.all })
  return rows.length === 0 ? run(scope) : rows
}

/** Maximum number of index scans that are merged; for more, the index of the organization is scanned. */
const max_merged_lists = 20

/**
 * The first rows in an index order: from the index of the organization for callers who read all projects, else from the
 * indexes per project or collection if there are few, because these may have none of the organization's newest items.
 *
 * @param firstRowsQuery creates the query of the first rows with additional conditions.
 */
export function selectFirstRowsOfProjects(
  organization: string,
  scope: SearchProjectScope,
  collections: CollectionScope | null,
  firstRowsQuery: (conditions: readonly Sql[]) => Sql,
): Sql {
  if (collections && collections.collections.length + collections.projects.length <= max_merged_lists)
    return selectFirstRowsOfCollections(organization, scope, collections, firstRowsQuery)
  const collectionCondition = itemCollectionConditions(collections)
  if ('project' in scope || 'presumed' in scope)
    return sql`(${firstRowsQuery([projectScopeCondition(scope, sql`i.project_id`), ...collectionCondition])})`
  const isWideScope = sql`(select r.everything or cardinality(r.ids) > ${max_merged_lists}::integer from readable r)`
  return sql`
    (select l.* from (${firstRowsQuery([isWideScope, projectScopeCondition(scope, sql`i.project_id`), ...collectionCondition])}) l
      union all
      select l.* from unnest(${readableIds}) held (project_id)
      cross join lateral (${firstRowsQuery([sql`i.project_id = held.project_id`, ...collectionCondition])}) l
      where not ${isWideScope})`
}

/** The first rows of each collection, and of the items without one of each project. */
function selectFirstRowsOfCollections(
  organization: string,
  scope: SearchProjectScope,
  { collections, projects }: CollectionScope,
  firstRowsQuery: (conditions: readonly Sql[]) => Sql,
): Sql {
  const isReadable = inReadableProjects(scope, sql`i.project_id`)
  const listedCollections = sql`
    select distinct t.collection_id from item_counts t
    where t.organization_id = ${organization} and t.collection_id = any(${collections}::uuid[]) and t.found > 0
      and ${projectScopeCondition(scope, sql`t.project_id`)}`
  // This form of the project condition cannot use the project index: the collection index is the right one.
  const inCollection = firstRowsQuery([sql`i.collection_id = held.collection_id`, isReadable])
  const rowsOfCollections = sql`
    select l.* from (${listedCollections}) held cross join lateral (${inCollection}) l`
  if (projects.length === 0) return sql`(${rowsOfCollections})`
  const inNone = firstRowsQuery([sql`i.project_id = held.project_id`, sql`i.collection_id is null`, isReadable])
  return sql`
    (${rowsOfCollections} union all
      select l.* from unnest(${projects}::uuid[]) held (project_id) cross join lateral (${inNone}) l)`
}
