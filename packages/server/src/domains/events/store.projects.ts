import type { Queryable } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { isUuid } from '../../platform/ids.ts'

interface Entity {
  readonly type: string
  readonly id: string
}

/** Where the project of an entity stands, by its type, deleted things included; those that are not here lie in no project. */
const projectOf: Readonly<Record<string, (organization: string, id: Sql) => Sql>> = {
  item: (organization, id) => sql`select project_id from items where organization_id = ${organization} and id = ${id}`,
  asset: (organization, id) => sql`
    select i.project_id from assets a
    join items i on i.organization_id = a.organization_id and i.id = a.item_id
    where a.organization_id = ${organization} and a.id = ${id}`,
  collection: (organization, id) =>
    sql`select project_id from collections where organization_id = ${organization} and id = ${id}`,
  order: (organization, id) =>
    sql`select project_id from orders where organization_id = ${organization} and id = ${id}`,
  project: (organization, id) =>
    sql`select id as project_id from projects where organization_id = ${organization} and id = ${id}`,
  share_link: (organization, id) =>
    sql`select project_id from share_links where organization_id = ${organization} and id = ${id}`,
  upload: (organization, id) =>
    sql`select project_id from uploads where organization_id = ${organization} and id = ${id}`,
}

/** The project that an entity lies or lay in, as a value of a statement; null for one that is unknown or in none, such as a capture. */
export function projectIdOf(organization: string, { type, id }: Entity): Sql {
  const statement = Object.hasOwn(projectOf, type) ? projectOf[type] : undefined
  return statement && isUuid(id) ? sql`(${statement(organization, sql`${id}::uuid`)})` : sql`null::uuid`
}

/** The same for the rows of a statement, whose ids are a column of type uuid. */
export function projectIdOfRow(organization: string, type: string, id: Sql): Sql {
  const statement = Object.hasOwn(projectOf, type) ? projectOf[type] : undefined
  return statement ? sql`(${statement(organization, id)})` : sql`null::uuid`
}

/** The project that an entity lies or lay in; null for one that is unknown or in none. */
export async function findProjectOf(db: Queryable, organization: string, entity: Entity): Promise<string | null> {
  const [row] = await db.query<{ id: string | null }>(sql`select ${projectIdOf(organization, entity)} as id`)
  return row?.id ?? null
}

/** The test of whether what a type and an id name is one that a caller may see. */
export type Visible = (type: Sql, id: Sql) => Sql

/** True for what lies in one of the projects of a query (`readableIds`); false for every type that lies in none. */
export const liesWithin =
  (organization: string, projects: Sql): Visible =>
  (type, id) => {
    const tests = Object.entries(projectOf).map(
      ([name, statement]) => sql`when ${name} then (${statement(organization, sql`${id}::uuid`)}) in (${projects})`,
    )
    return sql`coalesce(case ${type} ${sql.join(tests, sql` `)} else false end, false)`
  }
