import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { RasterMetadata } from '../assets/raster-metadata.ts'
import { defaultPageByteLimits } from './page-size.ts'
import { countListedItems } from '../store.counts.ts'
import { visibleItemCondition } from './store.search-conditions.ts'
import { itemColumns, listItemRowsWithSize, type ItemRow, type ItemRowWithSize } from '../store.ts'

/** The visible items of a collection at a time: neither deleted nor expired. */
export interface VisibleItemsScope {
  readonly organization: string
  readonly collection: string
  readonly now: OrganizationTime
}

const visibleCondition = ({ organization, collection, now }: VisibleItemsScope) => sql`
  ${visibleItemCondition(organization, now)} and i.collection_id = ${collection}`

const hasRaster = sql`exists (
  select 1 from assets a
  where a.organization_id = i.organization_id and a.item_id = i.id and a.deleted_at is null and a.ready
    and a.raster is not null)`

/** Newest acquisition first. */
const order = sql`i.covers_from desc, i.id desc`
const newestFirstOrder = sql`order by ${order}`

export async function listVisibleItems(
  db: SqlStatementRunner,
  scope: VisibleItemsScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ page: ItemRowWithSize[]; total: number }> {
  const newestQuery = sql`select i.* from items i where ${visibleCondition(scope)} order by ${order} limit ${limit} offset ${offset}`
  const page = await listItemRowsWithSize(db, newestQuery, order, defaultPageByteLimits)
  const { organization, collection, now } = scope
  return { page, total: await countListedItems(db, organization, { collection_id: collection, now }) }
}

/** Visible items with a raster whose bbox intersects a box in degrees, newest first. */
export const listVisibleRasterItems = (
  db: SqlStatementRunner,
  scope: VisibleItemsScope,
  [west, south, east, north]: readonly [number, number, number, number],
  limit: number,
): Promise<ItemRow[]> =>
  db.query<ItemRow>(sql`
    select ${itemColumns} from items i
    where ${visibleCondition(scope)} and ${hasRaster}
      and i.geometry && ST_MakeEnvelope(${west}::float8, ${south}::float8, ${east}::float8, ${north}::float8, 4326)
    ${newestFirstOrder} limit ${limit}`)

/** Raster metadata of the newest visible items. */
export async function listVisibleRasters(
  db: SqlStatementRunner,
  scope: VisibleItemsScope,
  limit: number,
): Promise<RasterMetadata[]> {
  const rows = await db.query<{ raster: RasterMetadata }>(sql`
    select a.raster from (select i.organization_id, i.id, i.covers_from from items i
                          where ${visibleCondition(scope)} and ${hasRaster} ${newestFirstOrder} limit ${limit}) as newest
    join assets a on a.organization_id = newest.organization_id and a.item_id = newest.id
    where a.organization_id = ${scope.organization} and a.deleted_at is null and a.ready and a.raster is not null`)
  return rows.map((row) => row.raster)
}
