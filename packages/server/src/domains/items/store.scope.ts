import { sql, type Sql } from '../../platform/database/sql.ts'

/** The projects that are searched. */
export type ProjectScope =
  /** One, whose reading was allowed before. */
  | { readonly project: string }
  /** `all`: true for who reads every project, so that no row is asked for its own; `ids`: a query of those of everybody else. */
  | { readonly all: Sql; readonly ids: Sql }

/** One project, whose reading was allowed before. */
export const onlyProject = (project: string): ProjectScope => ({ project })

/** The projects that are searched, for the beginning of a statement: one row, which `inProjects` looks into. */
export const readable = (scope: ProjectScope): Sql =>
  'project' in scope
    ? sql`readable as materialized (select false as everything, array[${scope.project}::uuid] as ids)`
    : sql`
      readable as materialized (
        select a.everything, case when a.everything then '{}'::uuid[] else array(${scope.ids}) end as ids
        from (select ${scope.all} as everything) a)`

const everything = sql`(select r.everything from readable r)`
const ids = sql`(select r.ids from readable r)::uuid[]`

const inReadable = (project_id: Sql): Sql => sql`(${everything} or ${project_id} = any(${ids}))`

/** Whether the project of a row is searched, in a statement that begins with `readable`. */
export const inProjects = (scope: ProjectScope, project_id: Sql): Sql =>
  'project' in scope ? sql`${project_id} = ${scope.project}::uuid` : inReadable(project_id)

/** So many lists in the order of an index are merged; rows of more are found by reading the one of the organization. */
const most_lists = 20

/**
 * The first rows of an order out of the index that has them: that of the organization for who reads all of it, and those of
 * each project or collection where there are few, which may have none of the newest items of the organization.
 *
 * @param first the query of the first rows with more conditions.
 */
export function firstOf(
  organization: string,
  scope: ProjectScope,
  collections: readonly string[] | null,
  first: (conditions: readonly Sql[]) => Sql,
): Sql {
  if (collections && collections.length <= most_lists) {
    // The project is said so that no index begins with it: that of the collection is the right one.
    const conditions = [sql`i.collection_id = held.collection_id`, inReadable(sql`i.project_id`)]
    const held = sql`
      select distinct t.collection_id from item_counts t
      where t.organization_id = ${organization} and t.collection_id = any(${collections}::uuid[]) and t.found > 0
        and ${inProjects(scope, sql`t.project_id`)}`
    return sql`
      (select l.* from (${held}) held cross join lateral (${first(conditions)}) l)`
  }
  const among = collections ? [sql`i.collection_id = any(${collections}::uuid[])`] : []
  if ('project' in scope) return sql`(${first([inProjects(scope, sql`i.project_id`), ...among])})`
  const isWide = sql`(select r.everything or cardinality(r.ids) > ${most_lists}::integer from readable r)`
  return sql`
    (select l.* from (${first([isWide, inProjects(scope, sql`i.project_id`), ...among])}) l
      union all
      select l.* from unnest(${ids}) held (project_id)
      cross join lateral (${first([sql`i.project_id = held.project_id`, ...among])}) l
      where not ${isWide})`
}
