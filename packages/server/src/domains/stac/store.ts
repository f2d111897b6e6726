import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { noCollectionId } from '../../platform/database/item-counts/no-collection.ts'
import { knownTime } from '../../platform/database/item-counts/unknown-time.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

/** A collection with the extent of its items; null values without items. */
export interface CollectionExtentRow {
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly description: string | null
  readonly source_type: string | null
  readonly source_id: string | null
  /** West, south, east, north. */
  readonly box: number[] | null
  readonly from: Date | null
  readonly to: Date | null
  /** Minimum and maximum cloud cover in per cent. */
  readonly clouds: number[] | null
  /** Minimum and maximum ground sample distance in metres. */
  readonly gsd: number[] | null
}

/** The columns of an extent: of a collection without items they are null. */
const extentColumns = sql`
  e.from, e.to,
  case when e.west is not null then array[e.west, e.south, e.east, e.north] end as box,
  case when e.least_clouds is not null then array[e.least_clouds, e.most_clouds] end as clouds,
  case when e.finest is not null then array[e.finest, e.coarsest] end as gsd`

/** The extent of the stored counts `t` with the condition, as a subquery of one row. */
const extentQuery = (organization: string, condition: Sql): Sql => sql`(
  select min(t.west) as west, min(t.south) as south, max(t.east) as east, max(t.north) as north,
    min(${knownTime(sql`t.earliest`)}) as from, max(${knownTime(sql`t.ends`)}) as to, min(t.least_clouds) as least_clouds,
    max(t.most_clouds) as most_clouds, min(t.finest) as finest, max(t.coarsest) as coarsest
  from item_months t
  where t.organization_id = ${organization} and t.found > 0 and ${condition})`

/** The collections with the condition on the table `c`, newest first. */
const listExtents = (db: SqlStatementRunner, organization: string, condition: Sql): Promise<CollectionExtentRow[]> =>
  db.query<CollectionExtentRow>(sql`
    select c.id, c.project_id, c.name, c.description, c.source_type, c.source_id, ${extentColumns}
    from collections c cross join lateral ${extentQuery(organization, sql`t.collection_id = c.id`)} e
    where c.organization_id = ${organization} and c.deleted_at is null and ${condition}
    order by c.created_at desc, c.id desc`)

/** The collections of some projects, newest first. */
export const listCollectionExtents = (
  db: SqlStatementRunner,
  organization: string,
  projects: Sql,
): Promise<CollectionExtentRow[]> => listExtents(db, organization, sql`c.project_id = any(array(${projects}))`)

/** One collection; null if there is none. */
export const findCollectionExtent = async (
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<CollectionExtentRow | null> => (await listExtents(db, organization, sql`c.id = ${id}`))[0] ?? null

/** A project with the extent of its items that are in no collection. */
export type ProjectExtentRow = Omit<CollectionExtentRow, 'id' | 'description' | 'source_type' | 'source_id'>

/** The projects with the condition on the table `p`, newest first. */
const listUncollected = (db: SqlStatementRunner, organization: string, condition: Sql): Promise<ProjectExtentRow[]> =>
  db.query<ProjectExtentRow>(sql`
    select p.id as project_id, p.name, ${extentColumns}
    from projects p
    cross join lateral ${extentQuery(organization, sql`t.project_id = p.id and t.collection_id = ${noCollectionId}`)} e
    where p.organization_id = ${organization} and p.deleted_at is null and ${condition}
    order by p.created_at desc, p.id desc`)

/** Condition on the table `p`: the project has items that are in no collection. */
const hasUncollected = (organization: string): Sql => sql`exists (
  select 1 from item_counts n
  where n.organization_id = ${organization} and n.project_id = p.id and n.collection_id = ${noCollectionId} and n.found > 0)`

/** Those of some projects that have items in no collection. */
export const listUncollectedExtents = (
  db: SqlStatementRunner,
  organization: string,
  projects: Sql,
): Promise<ProjectExtentRow[]> =>
  listUncollected(db, organization, sql`p.id = any(array(${projects})) and ${hasUncollected(organization)}`)

/** One project, also without such items; null if there is none. */
export const findUncollectedExtent = async (
  db: SqlStatementRunner,
  organization: string,
  project_id: string,
): Promise<ProjectExtentRow | null> => (await listUncollected(db, organization, sql`p.id = ${project_id}`))[0] ?? null

interface NameRow {
  readonly id: string
  readonly name: string
}

/** Names of the collections of some projects, newest first. */
export const listCollectionNames = (db: SqlStatementRunner, organization: string, projects: Sql): Promise<NameRow[]> =>
  db.query<NameRow>(sql`
    select c.id, c.name from collections c
    where c.organization_id = ${organization} and c.deleted_at is null and c.project_id = any(array(${projects}))
    order by c.created_at desc, c.id desc limit 1000`)

/** Names of those of some projects that have items in no collection, newest first. */
export const listUncollectedNames = (db: SqlStatementRunner, organization: string, projects: Sql): Promise<NameRow[]> =>
  db.query<NameRow>(sql`
    select p.id, p.name from projects p
    where p.organization_id = ${organization} and p.deleted_at is null and p.id = any(array(${projects}))
      and ${hasUncollected(organization)}
    order by p.created_at desc, p.id desc limit 1000`)
