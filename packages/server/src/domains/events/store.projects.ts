import type { Queryable } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { isUuid } from '../../platform/ids.ts'

interface Entity {
  readonly type: string
  readonly id: string
}

/** Queries of the project of an entity by type, deleted entities included. Other types belong to no project. */
const projectQueries: Readonly<Record<string, (organization: string, id: Sql) => Sql>> = {
  item: (organization, id) => sql`select project_id from items where organization_id = ${organization} and id = ${id}`,
  asset: (organization, id) => sql`
    select i.project_id from assets a
    join items i on i.organization_id = a.organization_id and i.id = a.item_id
    where a.organization_id = ${organization} and a.id = ${id}`,
  alert_event: (organization, id) =>
    sql`select project_id from alert_events where organization_id = ${organization} and id = ${id}`,
  collection: (organization, id) =>
    sql`select project_id from collections where organization_id = ${organization} and id = ${id}`,
  order: (organization, id) =>
    sql`select project_id from orders where organization_id = ${organization} and id = ${id}`,
  processing_job: (organization, id) =>
    sql`select project_id from processing_jobs where organization_id = ${organization} and id = ${id}`,
  project: (organization, id) =>
    sql`select id as project_id from projects where organization_id = ${organization} and id = ${id}`,
  saved_search: (organization, id) =>
    sql`select project_id from saved_searches where organization_id = ${organization} and id = ${id}`,
  share_link: (organization, id) =>
    sql`select project_id from share_links where organization_id = ${organization} and id = ${id}`,
  standing_order: (organization, id) =>
    sql`select project_id from standing_orders where organization_id = ${organization} and id = ${id}`,
  upload: (organization, id) =>
    sql`select project_id from uploads where organization_id = ${organization} and id = ${id}`,
}

/** SQL expression of the project of an entity; null if it is unknown or in no project, such as a capture. */
export function projectIdExpression(organization: string, { type, id }: Entity): Sql {
  const statement = Object.hasOwn(projectQueries, type) ? projectQueries[type] : undefined
  return statement && isUuid(id) ? sql`(${statement(organization, sql`${id}::uuid`)})` : sql`null::uuid`
}

/** The same for the rows of a statement whose entity id is a column of type uuid. */
export function projectIdColumn(organization: string, type: string, id: Sql): Sql {
  const statement = Object.hasOwn(projectQueries, type) ? projectQueries[type] : undefined
  return statement ? sql`(${statement(organization, id)})` : sql`null::uuid`
}

/** The project of an entity; null if it is unknown or in no project. */
export async function findProjectOfEntity(db: Queryable, organization: string, entity: Entity): Promise<string | null> {
  const [row] = await db.query<{ id: string | null }>(sql`select ${projectIdExpression(organization, entity)} as id`)
  return row?.id ?? null
}

/** SQL condition: the caller may see the entity with this type and id. */
export type VisibilityCondition = (type: Sql, id: Sql) => Sql

/** True for entities in one of the projects of a query (`readableIds`); false for types that belong to no project. */
export const withinProjects =
  (organization: string, projects: Sql): VisibilityCondition =>
  (type, id) => {
    const cases = Object.entries(projectQueries).map(
      ([name, statement]) => sql`when ${name} then (${statement(organization, sql`${id}::uuid`)}) in (${projects})`,
    )
    return sql`coalesce(case ${type} ${sql.join(cases, sql` `)} else false end, false)`
  }
