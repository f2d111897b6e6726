import { sql, type Sql } from '../../platform/database/sql.ts'

/** A property that is stored in a column, in queries that name the table `i`. */
export interface KnownColumn {
  readonly kind: 'number' | 'time' | 'text'
  readonly value: Sql
  /** The indexed uuid column, if `value` is its text. */
  readonly uuid?: Sql
}

type Row = readonly [name: string, column: KnownColumn]

const known = (kind: KnownColumn['kind'], value: Sql, ...names: readonly string[]): Row[] =>
  names.map((name) => [name, { kind, value }])

const id = (uuid: Sql, ...names: readonly string[]): Row[] =>
  names.map((name) => [name, { kind: 'text', value: sql`${uuid}::text`, uuid }])

// The record times of the source Feature were validated on import.
const created = sql`coalesce((i.stac_source ->> 'created')::timestamptz, i.created_at)`
const updated = sql`coalesce((i.stac_source ->> 'updated')::timestamptz, i.updated_at)`

const source = sql`case when i.upload_id is not null then 'ARCHIVE' when i.job_id is not null then 'PROCESSING' else 'TASKING' end`

/** Property names that are columns, as in STAC and in the flat item; all others are members of `properties`. */
export const knownColumns: ReadonlyMap<string, KnownColumn> = new Map([
  ...known('number', sql`i.cloud_cover`, 'eo:cloud_cover', 'cloud_cover'),
  ...known('number', sql`i.gsd`, 'gsd'),
  ...known('time', sql`i.covers_from`, 'datetime'),
  ...known('time', sql`i.start_datetime`, 'start_datetime'),
  ...known('time', sql`i.end_datetime`, 'end_datetime'),
  ...known('time', created, 'created'),
  ...known('time', updated, 'updated'),
  ...known('time', sql`i.created_at`, 'created_at'),
  ...known('time', sql`i.updated_at`, 'updated_at'),
  ...known('text', sql`i.stac_id`, 'id', 'stac_id'),
  ...known('text', sql`i.name`, 'title', 'name'),
  ...id(sql`i.collection_id`, 'collection', 'collection_id'),
  ...id(sql`i.id`, 'service:item_id'),
  ...known('text', source, 'service:source'),
  ...id(sql`i.project_id`, 'project_id'),
  ...id(sql`i.order_id`, 'order_id'),
  ...id(sql`i.upload_id`, 'upload_id'),
  ...id(sql`i.job_id`, 'job_id'),
  ...known('text', sql`i.lifecycle_state`, 'lifecycle_state'),
  ...known('text', sql`i.description`, 'description'),
])

/** STAC clients may prefix a property name with `properties.`. */
export const propertyName = (field: string): string => field.replace(/^properties\./, '')

/** The value as JSON, so that comparison respects types: a number never equals a text. */
export const jsonOf = (property: string): Sql => {
  const column = knownColumns.get(property)
  return column ? sql`to_jsonb(${column.value})` : sql`(i.properties -> ${property}::text)`
}

/** The value as text that compares by code point. */
export const textOf = (property: string): Sql => sql`(${jsonOf(property)} #>> '{}') collate "C"`
