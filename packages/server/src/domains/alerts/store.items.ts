import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { unknownTime } from '../../platform/database/item-counts/unknown-time.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { AlertRuleRow } from './store.ts'

/** The item `i` intersects the area, a GeoJSON geometry; true without an area, or for an item without a geometry. */
export const itemInAreaCondition = (area: Sql): Sql => sql`
  (${area} is null or i.geometry is null
    or ST_Intersects(i.geometry, ST_SetSRID(ST_Force2D(ST_GeomFromGeoJSON(${area})), 4326)))`

type RuleScope = Pick<AlertRuleRow, 'project_id' | 'collection_id' | 'aoi' | 'asset_key'>

/** Not deleted, not expired, in the project and collection of the rule, and with the asset that it measures. */
const matches = (organization: string, rule: RuleScope, now: OrganizationTime): Sql => sql`
  i.organization_id = ${organization} and i.deleted_at is null and i.lifecycle_state <> 'expired'
  and (i.expires_at is null or i.expires_at > ${now})
  and (${rule.project_id}::uuid is null or i.project_id = ${rule.project_id}::uuid)
  and (${rule.collection_id}::uuid is null or i.collection_id = ${rule.collection_id}::uuid)
  and exists (
    select 1 from assets a
    where a.organization_id = i.organization_id and a.item_id = i.id and a.key = ${rule.asset_key}
      and a.deleted_at is null and a.raster is not null)`

export interface BacktestedItem {
  readonly id: string
  readonly acquired_at: Date
}

/** The newest items of a rule that begin in the interval and are in these projects, newest first. */
export const listBacktestedItems = (
  db: SqlStatementRunner,
  {
    organization,
    rule,
    projects,
    from,
    to,
    limit,
    now,
  }: {
    readonly organization: string
    readonly rule: RuleScope
    readonly projects: Sql
    readonly from: Date | null
    readonly to: Date | null
    readonly limit: number
    readonly now: OrganizationTime
  },
): Promise<BacktestedItem[]> => {
  const area = rule.aoi && JSON.stringify(rule.aoi)
  return db.query<BacktestedItem>(sql`
    select i.id, i.covers_from as acquired_at from items i
    where ${matches(organization, rule, now)} and i.project_id in (${projects}) and i.covers_from <> ${unknownTime}
      and ${itemInAreaCondition(sql`${area}::text`)}
      and (${from}::timestamptz is null or i.covers_from >= ${from}::timestamptz)
      and (${to}::timestamptz is null or i.covers_from <= ${to}::timestamptz)
    order by i.covers_from desc, i.id desc
    limit ${limit}`)
}

/** The item of a rule that was acquired last before another item of its project and intersects it; null if there is none. */
export async function findPreviousItemOfRule(
  db: SqlStatementRunner,
  { organization, rule, item, now }: { organization: string; rule: RuleScope; item: string; now: OrganizationTime },
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(sql`
    select i.id from items newer
    join items i on i.organization_id = newer.organization_id and i.project_id = newer.project_id
    where newer.organization_id = ${organization} and newer.id = ${item}
      and ${matches(organization, rule, now)}
      and i.covers_from < newer.covers_from and ST_Intersects(i.geometry, newer.geometry)
    order by i.covers_from desc, i.id desc
    limit 1`)
  return row?.id ?? null
}
