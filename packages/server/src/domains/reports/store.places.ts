import type { Geometry } from 'geojson'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { knownTime } from '../../platform/database/item-counts/unknown-time.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { ReportScope } from './report.ts'

/** Something with a place that a report is about. */
export interface ReportGeometry {
  readonly geometry: Geometry
  readonly properties: Readonly<Record<string, string | number | null>>
}

/** An item of a monitored area; the geometry is that of the whole item. */
export interface MonitoredAreaItemRow {
  readonly item_id: string
  readonly name: string
  readonly acquired_at: Date
  readonly project_id: string
  readonly collection_id: string | null
  readonly cloud_cover: number | null
  readonly gsd: number | null
  readonly alerts: number
  readonly geometry: Geometry
}

/** Geometries with 7 decimals are exact to a centimetre. */
const itemGeometry = sql`ST_AsGeoJSON(i.geometry, 7)::jsonb`

const liveItems = (scope: ReportScope): Sql => sql`
  i.organization_id = ${scope.organization} and i.project_id = any(${scope.projects}::uuid[])
    and i.deleted_at is null and i.lifecycle_state <> 'expired' and i.geometry is not null`

/** The items that intersect the area of the scope and were acquired in its interval, oldest first. */
export const listItemsInReportArea = (
  db: SqlStatementRunner,
  scope: ReportScope,
  limit: number,
): Promise<MonitoredAreaItemRow[]> =>
  db.query<MonitoredAreaItemRow>(sql`
    select i.id as item_id, i.name, i.covers_from as acquired_at, i.project_id, i.collection_id, i.cloud_cover, i.gsd,
      coalesce(e.alerts, 0)::integer as alerts, ${itemGeometry} as geometry
    from items i
    left join (
      select a.item_id, count(*) as alerts from alert_events a
      where a.organization_id = ${scope.organization} group by a.item_id) e on e.item_id = i.id
    where ${liveItems(scope)} and ST_Dimension(i.geometry) = 2
      and i.covers_from >= ${scope.from}::timestamptz and i.covers_from < ${scope.to}::timestamptz
      and ST_Intersects(i.geometry, ST_SetSRID(ST_Force2D(ST_GeomFromGeoJSON(${JSON.stringify(scope.area)}::text)), 4326))
    order by i.covers_from, i.id limit ${limit}`)

/** The footprints of the inventory, newest first. */
export const listInventoryGeometries = (
  db: SqlStatementRunner,
  scope: ReportScope,
  limit: number,
): Promise<ReportGeometry[]> =>
  db.query<ReportGeometry>(sql`
    select ${itemGeometry} as geometry, jsonb_build_object('item_id', i.id, 'name', i.name, 'project_id', i.project_id,
      'collection_id', i.collection_id, 'acquired_at', ${knownTime(sql`i.covers_from`)}, 'cloud_cover', i.cloud_cover) as properties
    from items i
    where ${liveItems(scope)} and i.created_at < ${scope.to}::timestamptz
    order by i.covers_from desc, i.id limit ${limit}`)

const orderProperties = sql`jsonb_build_object('order_id', o.id, 'name', o.display_name, 'type', o.type, 'status', o.status,
  'project_id', o.project_id, 'placed_at', o.created_at, 'total_credits', o.total_credits,
  'captured_credits', o.captured_credits)`

/** The captures and areas of the orders that were placed in the interval, newest first. */
export const listOrderGeometries = (
  db: SqlStatementRunner,
  scope: ReportScope,
  limit: number,
): Promise<ReportGeometry[]> =>
  selectOrderPlaces(
    db,
    scope,
    sql`o.created_at >= ${scope.from}::timestamptz and o.created_at < ${scope.to}::timestamptz`,
    limit,
  )

/** The same of the orders for which something was charged in the interval. */
export const listChargedOrderPlaces = (
  db: SqlStatementRunner,
  scope: ReportScope,
  limit: number,
): Promise<ReportGeometry[]> =>
  selectOrderPlaces(
    db,
    scope,
    sql`exists (
      select 1 from charge_line_settlements s
      where s.organization_id = ${scope.organization} and s.hold_id = o.hold_id
        and s.settled_at >= ${scope.from}::timestamptz and s.settled_at < ${scope.to}::timestamptz)`,
    limit,
  )

const selectOrderPlaces = (
  db: SqlStatementRunner,
  scope: ReportScope,
  condition: Sql,
  limit: number,
): Promise<ReportGeometry[]> =>
  db.query<ReportGeometry>(sql`
    select p.geometry, ${orderProperties} as properties
    from orders o
    join (
      select c.order_id, c.geometry from order_captures c where c.organization_id = ${scope.organization}
      union all
      select t.order_id, t.geometry from tasking_groups t where t.organization_id = ${scope.organization}) p on p.order_id = o.id
    where o.organization_id = ${scope.organization} and o.project_id = any(${scope.projects}::uuid[]) and ${condition}
    order by o.created_at desc, o.id limit ${limit}`)

/** Names by id, of projects and collections, deleted ones included. */
export async function listProjectAndCollectionNames(
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(sql`
    select id, name from projects where organization_id = ${organization} and id = any(${ids}::uuid[])
    union all
    select id, name from collections where organization_id = ${organization} and id = any(${ids}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
