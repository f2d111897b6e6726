import type { Queryable } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

/** A collection with what its items cover; nulls where it has none. */
export interface ExtentRow {
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly description: string | null
  /** West, south, east, north. */
  readonly box: number[] | null
  readonly from: Date | null
  readonly to: Date | null
  /** The least and the most per cent of clouds. */
  readonly clouds: number[] | null
  /** The finest and the coarsest, in metres. */
  readonly gsd: number[] | null
}

/** The collections of some projects, newest first, or the one with the id. */
export const listExtents = (
  db: Queryable,
  organization: string,
  projects: Sql,
  id: string | null = null,
): Promise<ExtentRow[]> =>
  db.query<ExtentRow>(sql`
    select c.id, c.project_id, c.name, c.description, e.from, e.to,
      case when e.box is not null then array[ST_XMin(e.box), ST_YMin(e.box), ST_XMax(e.box), ST_YMax(e.box)] end as box,
      case when e.least_clouds is not null then array[e.least_clouds, e.most_clouds] end as clouds,
      case when e.finest is not null then array[e.finest, e.coarsest] end as gsd
    from collections c
    left join (
      select i.collection_id, ST_Extent(i.geometry)::box3d as box, min(i.covers_from) as from, max(i.covers_to) as to,
        min(i.cloud_cover) as least_clouds, max(i.cloud_cover) as most_clouds,
        min(nullif(i.gsd, 0)) as finest, max(nullif(i.gsd, 0)) as coarsest
      from items i
      where i.organization_id = ${organization} and i.deleted_at is null and i.lifecycle_state <> 'expired'
        and ${id === null ? sql`i.collection_id is not null` : sql`i.collection_id = ${id}`}
      group by i.collection_id) e on e.collection_id = c.id
    where c.organization_id = ${organization} and c.deleted_at is null and c.project_id = any(array(${projects}))
      and ${id === null ? sql`true` : sql`c.id = ${id}`}
    order by c.created_at desc, c.id desc`)

/** Names of the collections of some projects, newest first. */
export const listNames = (
  db: Queryable,
  organization: string,
  projects: Sql,
): Promise<{ id: string; name: string }[]> =>
  db.query<{ id: string; name: string }>(sql`
    select c.id, c.name from collections c
    where c.organization_id = ${organization} and c.deleted_at is null and c.project_id = any(array(${projects}))
    order by c.created_at desc, c.id desc limit 1000`)
