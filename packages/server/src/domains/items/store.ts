import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import type { ItemType, LifecycleState } from '@swath/contract/schemas/item.ts'
import type { StacAsset, StacLink } from '@swath/contract/schemas/stac.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { insertItemRows } from '../../platform/database/item-counts/write-items.ts'
import { coveredInterval } from '../../platform/database/item-counts/unknown-time.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { withStatementTimeout } from '../../platform/database/statements/statement-timeout.ts'
import { splitIntoBatches, buildValuesList } from '../../platform/database/statements/values-list.ts'
import { defaultPageByteLimits, type PageByteLimits } from './search/page-size.ts'
import type { ItemFeatureExtraMembers } from './stac/stac-source.ts'
import { countListedItems, type ItemListScope } from './store.counts.ts'
import { itemOriginSql, type ItemOrigin } from './store.origins.ts'

export interface ItemRow {
  readonly id: string
  readonly project_id: string
  readonly collection_id: string | null
  readonly stac_id: string
  readonly type: ItemType
  readonly geometry: Geometry | null
  readonly bbox: number[] | null
  readonly datetime: Date | null
  readonly start_datetime: Date | null
  readonly end_datetime: Date | null
  readonly cloud_cover: number | null
  readonly gsd: number | null
  readonly name: string
  readonly description: string | null
  readonly properties: Record<string, unknown>
  readonly stac_extensions: string[]
  readonly links: StacLink[]
  readonly stac_source: ItemFeatureExtraMembers | null
  readonly lifecycle_state: LifecycleState
  readonly expires_at: Date | null
  readonly archived_at: Date | null
  readonly previous_version_id: string | null
  readonly duplicated_from_id: string | null
  readonly order_id: string | null
  readonly upload_id: string | null
  readonly job_id: string | null
  readonly deleted_at: Date | null
  readonly created_by: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** An item without its potentially large columns. */
export type ItemWithoutLargeColumns = Omit<
  ItemRow,
  'properties' | 'links' | 'geometry' | 'description' | 'stac_extensions' | 'stac_source'
>

/** An item without its metadata columns, except geometry and extensions. */
export type ItemWithoutMetadata = Omit<ItemRow, 'properties' | 'links' | 'description' | 'stac_source'>

/** A row that is serialized to a Feature. */
export interface StacItemRow extends ItemRow {
  /** The member `assets` with URLs relative to the base; null for rows older than the column. */
  readonly stac_assets: Record<string, StacAsset> | null
  readonly origin: ItemOrigin
}

export interface NewItem {
  readonly id: string
  readonly project_id: string
  readonly collection_id: string | null
  readonly stac_id: string
  readonly type: ItemType
  readonly name: string
  readonly description: string | null
  /** Validated by `validateGeometry`. */
  readonly geometry: Geometry | null
  /** The dimension that ST_MakeValid must preserve; null for a GeometryCollection. */
  readonly dimension: 0 | 1 | 2 | null
  readonly bbox: readonly number[] | null
  readonly datetime: Date | null
  readonly start_datetime: Date | null
  readonly end_datetime: Date | null
  readonly cloud_cover: number | null
  readonly gsd: number | null
  readonly properties: Readonly<Record<string, unknown>>
  readonly stac_extensions: readonly string[]
  readonly links: readonly StacLink[]
  readonly stac_source: ItemFeatureExtraMembers | null
  readonly stac_assets: Readonly<Record<string, StacAsset>>
  readonly expires_at: Date | null
  readonly duplicated_from_id: string | null
  readonly order_id: string | null
  readonly scene_key: string | null
  readonly upload_id: string | null
  readonly job_id: string | null
}

/** The columns shared by items that are inserted together. */
export interface ItemInsertContext {
  readonly organization_id: string
  readonly created_by: string
  readonly created_at: Date
}

/** Potentially large columns: a page reads them only if their total size is small. */
const longColumns = {
  properties: sql`i.properties`,
  links: sql`i.links`,
  // With 20 decimals, ST_AsGeoJSON writes the shortest exact representation.
  geometry: sql`ST_AsGeoJSON(i.geometry, 20)::jsonb`,
  description: sql`i.description`,
  stac_extensions: sql`i.stac_extensions`,
  stac_source: sql`i.stac_source`,
} as const

const longColumnList = sql`
  ${longColumns.properties}, ${longColumns.links}, ${longColumns.geometry} as geometry, ${longColumns.description},
  ${longColumns.stac_extensions}, ${longColumns.stac_source}`

const briefColumnList = sql`
  i.id, i.project_id, i.collection_id, i.stac_id, i.type, i.bbox, i.datetime, i.start_datetime, i.end_datetime,
  i.cloud_cover, i.gsd, i.name, i.lifecycle_state, i.expires_at, i.archived_at, i.previous_version_id,
  i.duplicated_from_id, i.order_id, i.upload_id, i.job_id, i.deleted_at, i.created_by, i.created_at, i.updated_at`

/** The columns, for a query with the table alias `i`. */
export const itemColumns = sql`${briefColumnList}, ${longColumnList}`

/** The same; large columns are null if the condition is false. */
export const itemColumnsIf = (condition: Sql): Sql => sql`
  ${briefColumnList}, ${sql.join(
    Object.entries(longColumns).map(
      ([name, value]) =>
        sql`case when ${condition} then ${value} end as ${sql.identifier(name, Object.keys(longColumns))}`,
    ),
  )}`

/** The columns of `ItemWithoutMetadata`. */
const describedColumns = sql`${briefColumnList}, ${longColumns.geometry} as geometry, ${longColumns.stac_extensions}`

/** Upper bound of the bytes of an item in a response: metadata, geometry as text, and fixed columns. */
export const itemResponseBytesSql = sql`(i.metadata_bytes + 3 * i.geometry_bytes + 1500)`

/** The same for a Feature, as a `StacItemRow`. */
export const stacColumns = sql`${itemColumns}, i.stac_assets, ${itemOriginSql} as origin`

/** A valid 2D geometry of the input dimension: parts of other dimensions that ST_MakeValid produces are dropped. */
export function validGeometryExpression(geojson: Sql, dimension: Sql): Sql {
  const valid = sql`ST_MakeValid(ST_Force2D(ST_SetSRID(ST_GeomFromGeoJSON(${geojson}), 4326)))`
  return sql`case when ${dimension} is null then ${valid} else ST_CollectionExtract(${valid}, ${dimension} + 1) end`
}

/** Geometries of more text get `geometry_timeout_ms`, a second bound beside that of their crossings; others cost less than it does. */
const max_quick_geometry_length = 2000
const geometry_timeout_ms = 2000

/** Runs a statement that makes geometries valid. */
export const withGeometryTimeout = <T>(
  tx: Tx,
  geojson: readonly (string | null)[],
  work: () => Promise<T>,
): Promise<T> => {
  const length = geojson.reduce((sum, text) => sum + (text?.length ?? 0), 0)
  return length <= max_quick_geometry_length ? work() : withStatementTimeout(tx, geometry_timeout_ms, work)
}

/**
 * `taken`: another item has the `stac_id`, or the order has already delivered this scene. `collapsed`: nothing of the
 * geometry is left after ST_MakeValid. `too-large`: the metadata exceeds the limit. Nothing is written in these cases.
 */
export type ItemInsertOutcome = 'inserted' | 'taken' | 'collapsed' | 'too-large'

/** The measurements that decide whether an item is inserted. */
interface MeasuredItem {
  readonly id: string
  /** The geometry that is stored, as hexadecimal EWKB. */
  readonly geometry: string | null
  readonly large: boolean | null
  readonly empty: boolean | null
}

/** Makes the geometries of items valid and, if there is a limit, measures their metadata. */
function measureItems(tx: Tx, items: readonly NewItem[], limit_bytes: number | null): Promise<MeasuredItem[]> {
  const rows = items.map(({ geometry, id, dimension, ...item }) => ({
    id,
    dimension,
    geojson: geometry === null ? null : JSON.stringify(geometry),
    ...(limit_bytes === null ? {} : item),
  }))
  const measure = sql`
    with given as materialized (
      select given.id, ${validGeometryExpression(sql`given.geojson`, sql`given.dimension`)} as geometry,
        item_metadata_bytes(given.description, given.properties, given.links, given.stac_assets, given.stac_extensions,
          given.stac_source)
          > ${limit_bytes}::bigint as large
      from json_to_recordset(${sql.json(rows)}::json) as given (
        id uuid, geojson text, dimension integer, description text, properties jsonb, links jsonb, stac_assets json,
        stac_extensions text[], stac_source jsonb)
    )
    select id, geometry::text as geometry, large, ST_IsEmpty(geometry) as empty from given`
  const texts = rows.map(({ geojson }) => geojson)
  return withGeometryTimeout(tx, texts, () => tx.query<MeasuredItem>(measure))
}

/** Inserts items with few statements; returns the outcome by id. `limit_bytes` limits the metadata of each. */
export async function insertItems(
  tx: Tx,
  context: ItemInsertContext,
  items: readonly NewItem[],
  limit_bytes: number | null = null,
): Promise<Map<string, ItemInsertOutcome>> {
  const measured = new Map((await measureItems(tx, items, limit_bytes)).map((row) => [row.id, row]))
  const isWritable = ({ large, empty }: MeasuredItem): boolean => large !== true && empty !== true
  const writable = items.flatMap((item) => {
    const row = measured.get(item.id)
    return row && isWritable(row) ? [{ item, geometry: row.geometry }] : []
  })
  const inserted = new Set<string>()
  for (const batch of splitIntoBatches(writable)) {
    const insert = sql`
      insert into items as i (organization_id, id, project_id, collection_id, stac_id, type, name, description, geometry, bbox,
                         datetime, start_datetime, end_datetime, covers_from, covers_to, cloud_cover, gsd, properties,
                         stac_extensions, links, stac_source, stac_assets, expires_at, duplicated_from_id, order_id,
                         scene_key, upload_id, job_id, created_by, created_at, updated_at)
      values ${buildValuesList(batch, ({ item, geometry }) => itemValues(context, item, geometry))}
      on conflict do nothing`
    const ids = await insertItemRows(tx, context.organization_id, { insert, rows: batch.length })
    for (const id of ids) inserted.add(id)
  }
  return new Map([...measured.values()].map((row) => [row.id, toInsertOutcome(row, inserted)]))
}

const itemValues = (
  { organization_id, created_by, created_at }: ItemInsertContext,
  item: NewItem,
  geometry: string | null,
): Sql => sql`
  (${organization_id}, ${item.id}, ${item.project_id}, ${item.collection_id}, ${item.stac_id}, ${item.type}, ${item.name},
   ${item.description}, ${geometry}, ${item.bbox}, ${item.datetime}, ${item.start_datetime}, ${item.end_datetime},
   ${coveredInterval(item).from}, ${coveredInterval(item).to},
   ${item.cloud_cover}, ${item.gsd}, ${sql.json(item.properties)}, ${item.stac_extensions}, ${sql.json(item.links)},
   ${item.stac_source === null ? null : sql.json(item.stac_source)}, ${sql.json(item.stac_assets)}, ${item.expires_at},
   ${item.duplicated_from_id}, ${item.order_id}, ${item.scene_key}, ${item.upload_id}, ${item.job_id}, ${created_by},
   ${created_at}, ${created_at})`

const toInsertOutcome = ({ id, large, empty }: MeasuredItem, inserted: ReadonlySet<string>): ItemInsertOutcome => {
  if (inserted.has(id)) return 'inserted'
  if (large) return 'too-large'
  return empty ? 'collapsed' : 'taken'
}

/** The item, deleted or not. */
export async function findItem(db: SqlStatementRunner, organization: string, id: string): Promise<ItemRow | null> {
  const [row] = await db.query<ItemRow>(sql`
    select ${itemColumns} from items i where i.organization_id = ${organization} and i.id = ${id}`)
  return row ?? null
}

/** Items by id, unordered, deleted or not, without large columns. */
export const findItems = (
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
): Promise<ItemWithoutLargeColumns[]> =>
  db.query<ItemWithoutLargeColumns>(sql`
    select ${briefColumnList} from items i where i.organization_id = ${organization} and i.id = any(${ids}::uuid[])`)

/** Items as rows for their Features, in the order of the ids; those of other organizations are omitted. */
export async function findStacItemRows(
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
): Promise<StacItemRow[]> {
  if (ids.length === 0) return []
  return db.query<StacItemRow>(sql`
    select ${stacColumns} from items i
    where i.organization_id = ${organization} and i.id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], i.id)`)
}

/** A page of an item list. Items that expire by `now` are omitted, whether or not a sweep has marked them. */
export interface ItemListQuery extends ItemListScope {
  readonly limit: number
  readonly offset: number
}

/** A page of items, newest first, with the total count. */
export async function listItemRows(
  db: SqlStatementRunner,
  organization: string,
  query: ItemListQuery,
  sizes: PageByteLimits = defaultPageByteLimits,
): Promise<{ page: ItemRowWithSize[]; total: number }> {
  const where = sql.join(
    [
      sql`i.organization_id = ${organization} and i.deleted_at is null and i.lifecycle_state <> 'expired'`,
      sql`(i.expires_at is null or i.expires_at > ${query.now})`,
      ...(query.project_id === undefined ? [] : [sql`i.project_id = ${query.project_id}`]),
      ...(query.collection_id === undefined ? [] : [sql`i.collection_id = ${query.collection_id}`]),
      ...(query.uncollected ? [sql`i.collection_id is null`] : []),
    ],
    sql` and `,
  )
  const order = sql`i.created_at desc, i.id desc`
  const page = await listItemRowsWithSize(
    db,
    sql`select i.* from items i where ${where} order by ${order} limit ${query.limit} offset ${query.offset}`,
    order,
    sizes,
  )
  return { page, total: await countListedItems(db, organization, query) }
}

/** The id of an item with its size in a response, as an upper bound. */
export interface ItemIdWithSize {
  readonly organization_id: string
  readonly id: string
  readonly bytes: number
}

/** An item of a measured page. */
export interface ItemRowWithSize extends ItemRow, ItemIdWithSize {
  /** False if the page is too large to be read at once: large columns are null. */
  readonly whole: boolean
}

/**
 * Measures a page and reads it if it is small. `page` is a query of item rows; `order` repeats its ORDER BY list for the
 * table `i`.
 */
export const listItemRowsWithSize = (
  db: SqlStatementRunner,
  page: Sql,
  order: Sql,
  sizes: PageByteLimits,
): Promise<ItemRowWithSize[]> =>
  db.query<ItemRowWithSize>(sql`
    select i.organization_id, i.answer_bytes as bytes, i.whole, ${itemColumnsIf(sql`i.whole`)}
    from (
      select i.*, ${itemResponseBytesSql} as answer_bytes, sum(${itemResponseBytesSql}) over () <= ${sizes.part_bytes} as whole
      from (${page}) i) i
    order by ${order}`)

/** Items by id, unordered, with their large columns. */
export const findItemsWithLargeColumns = (
  db: SqlStatementRunner,
  organization: string,
  ids: readonly string[],
): Promise<ItemRow[]> =>
  db.query<ItemRow>(sql`
    select ${itemColumns} from items i where i.organization_id = ${organization} and i.id = any(${ids}::uuid[])`)

/** The items that an order has delivered, oldest first. */
export const listItemsOfOrder = (
  db: SqlStatementRunner,
  organization: string,
  order_id: string,
): Promise<ItemWithoutMetadata[]> =>
  db.query<ItemWithoutMetadata>(sql`
    select ${describedColumns} from items i
    where i.organization_id = ${organization} and i.order_id = ${order_id} and i.scene_key is not null and i.deleted_at is null
    order by i.created_at, i.id`)
