import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { isUuid } from '../../platform/ids.ts'

/**
 * The table of the entities of a type, with the alias `entity`, and their project. No statement with a condition of
 * `entityInProjectsCondition` may name a table so: the condition refers to its columns.
 */
interface EntitySource {
  readonly from: Sql
  readonly project: Sql
}

/** A table with the project in a column. */
const column = sql`entity.project_id`

/** The sources of the project of an entity by type, deleted entities included. Other types belong to no project. */
const projectSources: Readonly<Record<string, EntitySource>> = {
  item: { from: sql`items entity`, project: column },
  asset: {
    from: sql`assets entity join items i on i.organization_id = entity.organization_id and i.id = entity.item_id`,
    project: sql`i.project_id`,
  },
  alert_event: { from: sql`alert_events entity`, project: column },
  collection: { from: sql`collections entity`, project: column },
  order: { from: sql`orders entity`, project: column },
  processing_job: { from: sql`processing_jobs entity`, project: column },
  project: { from: sql`projects entity`, project: sql`entity.id` },
  saved_search: { from: sql`saved_searches entity`, project: column },
  share_link: { from: sql`share_links entity`, project: column },
  standing_order: { from: sql`standing_orders entity`, project: column },
  upload: { from: sql`uploads entity`, project: column },
}

const sourceOf = (type: string): EntitySource | null =>
  Object.hasOwn(projectSources, type) ? (projectSources[type] ?? null) : null

const projectQuery = ({ from, project }: EntitySource, organization: string, id: Sql): Sql => sql`
  select ${project} as project_id from ${from} where entity.organization_id = ${organization} and entity.id = ${id}`

/** The projects of entities of one type by entity id; those that are unknown or in no project are left out. */
export async function findProjectsOfEntities(
  db: SqlStatementRunner,
  organization: string,
  type: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const source = sourceOf(type)
  const known = ids.filter(isUuid)
  if (source === null || known.length === 0) return new Map()
  const rows = await db.query<{ id: string; project_id: string }>(
    sql.generic(sql`
    select entity.id, ${source.project} as project_id from ${source.from}
    where entity.organization_id = ${organization} and entity.id = any(${known}::uuid[])`),
  )
  return new Map(rows.map(({ id, project_id }) => [id, project_id]))
}

/** The project of an entity; null if it is unknown or in no project. */
export async function findProjectOfEntity(
  db: SqlStatementRunner,
  organization: string,
  { type, id }: { readonly type: string; readonly id: string },
): Promise<string | null> {
  const projects = await findProjectsOfEntities(db, organization, type, [id])
  return projects.get(id.toLowerCase()) ?? null
}

/** SQL condition: the caller may see the entity with this type and id. */
export type EntityVisibilityCondition = (type: Sql, id: Sql) => Sql

/** True for entities in one of the projects of a query (`readableIds`); false for types that belong to no project. */
export const entityInProjectsCondition =
  (organization: string, projects: Sql): EntityVisibilityCondition =>
  (type, id) => {
    const cases = Object.entries(projectSources).map(
      ([name, source]) =>
        sql`when ${name} then (${projectQuery(source, organization, sql`${id}::uuid`)}) in (${projects})`,
    )
    return sql`coalesce(case ${type} ${sql.join(cases, sql` `)} else false end, false)`
  }
