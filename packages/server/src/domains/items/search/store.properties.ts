import { unknownTime } from '../../../platform/database/item-counts/unknown-time.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import { projectCollectionPrefix } from '../stac/project-collection.ts'
import { itemHostCollectionSql, itemProductSql, itemSourceSql } from '../store.origins.ts'

/** A property that is stored in a column, in queries that name the table `i`. */
export interface PropertyColumn {
  readonly kind: 'number' | 'time' | 'text'
  readonly value: Sql
  /** The indexed uuid column, if `value` is its text. */
  readonly uuid?: Sql
  /** True if `value` is another text where that column is null. */
  readonly hasTextWithoutUuid?: true
  /** The condition of items without a value; default: the value is null. */
  readonly absent?: Sql
}

type ColumnEntry = readonly [name: string, column: PropertyColumn]

const columnEntries = (kind: PropertyColumn['kind'], value: Sql, ...names: readonly string[]): ColumnEntry[] =>
  names.map((name) => [name, { kind, value }])

const uuidColumnEntries = (uuid: Sql, ...names: readonly string[]): ColumnEntry[] =>
  names.map((name) => [name, { kind: 'text', value: sql`${uuid}::text`, uuid }])

// The record times of the source Feature were validated on import.
const created = sql`coalesce((i.stac_source ->> 'created')::timestamptz, i.created_at)`
const updated = sql`coalesce((i.stac_source ->> 'updated')::timestamptz, i.updated_at)`

/** The id that STAC shows of a collection, or of the project for null (`stacCollectionIdOf`). */
export const stacCollectionIdExpression = (collection_id: Sql, project_id: Sql): Sql =>
  sql`coalesce((${collection_id})::text, ${projectCollectionPrefix}::text || ${project_id}::text)`

/** The same for the table `i` of items. */
export const stacCollectionIdSql = stacCollectionIdExpression(sql`i.collection_id`, sql`i.project_id`)

const source = sql`case when i.upload_id is not null then 'ARCHIVE' when i.job_id is not null then 'PROCESSING' else 'TASKING' end`

/** The code that STAC shows of a stored number (`addProjectionCode`). */
const projectionCode = sql`coalesce(i.properties ->> 'proj:code', case when jsonb_typeof(i.properties -> 'proj:epsg') = 'number'
  and i.properties ->> 'proj:epsg' ~ '^[0-9]+$' then 'EPSG:' || (i.properties ->> 'proj:epsg') end)`

/** Property names that are columns, as in STAC and in the flat item; all others are members of `properties`. */
export const propertyColumns: ReadonlyMap<string, PropertyColumn> = new Map([
  ...columnEntries('number', sql`i.cloud_cover`, 'eo:cloud_cover', 'cloud_cover'),
  ...columnEntries('number', sql`i.gsd`, 'gsd'),
  ['datetime', { kind: 'time', value: sql`i.covers_from`, absent: sql`i.covers_from = ${unknownTime}` }],
  ...columnEntries('time', sql`i.start_datetime`, 'start_datetime'),
  ...columnEntries('time', sql`i.end_datetime`, 'end_datetime'),
  ...columnEntries('time', created, 'created'),
  ...columnEntries('time', updated, 'updated'),
  ...columnEntries('time', sql`i.created_at`, 'created_at'),
  ...columnEntries('time', sql`i.updated_at`, 'updated_at'),
  ...columnEntries('text', sql`i.stac_id`, 'id', 'stac_id'),
  ...columnEntries('text', sql`i.name`, 'title', 'name'),
  ['collection', { kind: 'text', value: stacCollectionIdSql, uuid: sql`i.collection_id`, hasTextWithoutUuid: true }],
  ...uuidColumnEntries(sql`i.collection_id`, 'collection_id'),
  ...uuidColumnEntries(sql`i.id`, 'service:item_id'),
  ...columnEntries('text', source, 'service:source'),
  ...columnEntries('text', sql`i.type`, 'service:item_type'),
  ...uuidColumnEntries(sql`i.project_id`, 'project_id'),
  ...uuidColumnEntries(sql`i.order_id`, 'order_id'),
  ...uuidColumnEntries(sql`i.upload_id`, 'upload_id'),
  ...uuidColumnEntries(sql`i.job_id`, 'job_id'),
  ...columnEntries('text', sql`i.lifecycle_state`, 'lifecycle_state'),
  ...columnEntries('text', sql`i.description`, 'description'),
  ...columnEntries('text', projectionCode, 'proj:code'),
  // The names of clients of the second generation, whose asset is an item.
  ...uuidColumnEntries(sql`i.id`, 'asset_id', 'up42-system:asset_id'),
  ...uuidColumnEntries(sql`i.organization_id`, 'up42-system:account_id'),
  ...uuidColumnEntries(sql`i.project_id`, 'up42-system:workspace_id'),
  ...uuidColumnEntries(sql`i.job_id`, 'up42-system:job_id'),
  ...uuidColumnEntries(sql`i.order_id`, 'up42-order:id'),
  ...columnEntries('text', itemSourceSql, 'up42-system:source'),
  ...columnEntries('text', itemProductSql, 'up42-product:product_id'),
  ...columnEntries('text', itemHostCollectionSql, 'up42-product:collection_name'),
])

/** STAC clients may prefix a property name with `properties.`. */
export const normalizePropertyName = (field: string): string => field.replace(/^properties\./, '')

/** The value as JSON, so that comparison respects types: a number never equals a text. */
export const propertyJsonSql = (property: string): Sql => {
  const column = propertyColumns.get(property)
  return column ? sql`to_jsonb(${column.value})` : sql`(i.properties -> ${property}::text)`
}

/** The value as text that compares by code point. */
export const propertyAsTextSql = (property: string): Sql => sql`(${propertyJsonSql(property)} #>> '{}') collate "C"`
