import { sql, type Sql } from '../../../platform/database/sql.ts'

/** The projects of a search. */
export type ProjectScope =
  /** One project, for which the permission was already checked. */
  | { readonly project: string }
  /** `all`: SQL condition that the caller reads every project; `ids`: query of the readable projects otherwise. */
  | { readonly all: Sql; readonly ids: Sql }

/** The scope of one project, for which the permission was already checked. */
export const singleProjectScope = (project: string): ProjectScope => ({ project })

/** The CTE `readable` with the searched projects in one row, used by `projectScopeCondition`. */
export const readableProjectsCte = (scope: ProjectScope): Sql =>
  'project' in scope
    ? sql`readable as materialized (select false as everything, array[${scope.project}::uuid] as ids)`
    : sql`
      readable as materialized (
        select a.everything, case when a.everything then '{}'::uuid[] else array(${scope.ids}) end as ids
        from (select ${scope.all} as everything) a)`

const readsEverything = sql`(select r.everything from readable r)`
const readableIds = sql`(select r.ids from readable r)::uuid[]`

const inReadableProjects = (project_id: Sql): Sql => sql`(${readsEverything} or ${project_id} = any(${readableIds}))`

/** SQL condition that a project is searched; requires the CTE `readable`. */
export const projectScopeCondition = (scope: ProjectScope, project_id: Sql): Sql =>
  'project' in scope ? sql`${project_id} = ${scope.project}::uuid` : inReadableProjects(project_id)

/** Maximum number of index scans that are merged; for more, the index of the organization is scanned. */
const max_merged_lists = 20

/**
 * The first rows in an index order: from the index of the organization for callers who read all projects, else from the
 * indexes per project or collection if there are few, because these may have none of the organization's newest items.
 *
 * @param firstRowsQuery creates the query of the first rows with additional conditions.
 */
export function firstRowsInScope(
  organization: string,
  scope: ProjectScope,
  collections: readonly string[] | null,
  firstRowsQuery: (conditions: readonly Sql[]) => Sql,
): Sql {
  if (collections && collections.length <= max_merged_lists) {
    // This form of the project condition cannot use the project index: the collection index is the right one.
    const conditions = [sql`i.collection_id = held.collection_id`, inReadableProjects(sql`i.project_id`)]
    const listedCollections = sql`
      select distinct t.collection_id from item_counts t
      where t.organization_id = ${organization} and t.collection_id = any(${collections}::uuid[]) and t.found > 0
        and ${projectScopeCondition(scope, sql`t.project_id`)}`
    return sql`
      (select l.* from (${listedCollections}) held cross join lateral (${firstRowsQuery(conditions)}) l)`
  }
  const collectionCondition = collections ? [sql`i.collection_id = any(${collections}::uuid[])`] : []
  if ('project' in scope)
    return sql`(${firstRowsQuery([projectScopeCondition(scope, sql`i.project_id`), ...collectionCondition])})`
  const isWideScope = sql`(select r.everything or cardinality(r.ids) > ${max_merged_lists}::integer from readable r)`
  return sql`
    (select l.* from (${firstRowsQuery([isWideScope, projectScopeCondition(scope, sql`i.project_id`), ...collectionCondition])}) l
      union all
      select l.* from unnest(${readableIds}) held (project_id)
      cross join lateral (${firstRowsQuery([sql`i.project_id = held.project_id`, ...collectionCondition])}) l
      where not ${isWideScope})`
}
