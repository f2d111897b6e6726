import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

/** A collection with the extent of its items; null values without items. */
export interface CollectionExtentRow {
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly description: string | null
  /** West, south, east, north. */
  readonly box: number[] | null
  readonly from: Date | null
  readonly to: Date | null
  /** Minimum and maximum cloud cover in per cent. */
  readonly clouds: number[] | null
  /** Minimum and maximum ground sample distance in metres. */
  readonly gsd: number[] | null
}

/** The collections of some projects, newest first, or the one with the id. */
export const listCollectionExtents = (
  db: SqlStatementRunner,
  organization: string,
  projects: Sql,
  id: string | null = null,
): Promise<CollectionExtentRow[]> =>
  db.query<CollectionExtentRow>(sql`
    select c.id, c.project_id, c.name, c.description, e.from, e.to,
      case when e.west is not null then array[e.west, e.south, e.east, e.north] end as box,
      case when e.least_clouds is not null then array[e.least_clouds, e.most_clouds] end as clouds,
      case when e.finest is not null then array[e.finest, e.coarsest] end as gsd
    from collections c
    cross join lateral (
      select min(t.west) as west, min(t.south) as south, max(t.east) as east, max(t.north) as north,
        min(t.earliest) as from, max(t.ends) as to, min(t.least_clouds) as least_clouds,
        max(t.most_clouds) as most_clouds, min(t.finest) as finest, max(t.coarsest) as coarsest
      from item_months t
      where t.organization_id = ${organization} and t.collection_id = c.id and t.found > 0) e
    where c.organization_id = ${organization} and c.deleted_at is null and c.project_id = any(array(${projects}))
      and ${id === null ? sql`true` : sql`c.id = ${id}`}
    order by c.created_at desc, c.id desc`)

/** Names of the collections of some projects, newest first. */
export const listCollectionNames = (
  db: SqlStatementRunner,
  organization: string,
  projects: Sql,
): Promise<{ id: string; name: string }[]> =>
  db.query<{ id: string; name: string }>(sql`
    select c.id, c.name from collections c
    where c.organization_id = ${organization} and c.deleted_at is null and c.project_id = any(array(${projects}))
    order by c.created_at desc, c.id desc limit 1000`)
