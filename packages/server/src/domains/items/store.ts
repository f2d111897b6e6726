import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import type { ItemType, LifecycleState } from '@swath/contract/shapes/item.ts'
import type { StacLink } from '@swath/contract/shapes/stac.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

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

export interface NewItem {
  readonly organization_id: string
  readonly id: string
  readonly project_id: string
  readonly collection_id: string | null
  readonly stac_id: string
  readonly type: ItemType
  readonly name: string
  readonly description: string | null
  /** Checked by `geometryFault` before. */
  readonly geometry: Geometry | null
  /** The dimension that the geometry keeps when it is made valid; null for a mixed collection. */
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
  readonly order_id: string | null
  readonly scene_key: string | null
  readonly upload_id: string | null
  readonly job_id: string | null
  readonly created_by: string
  readonly created_at: Date
}

/** For a query that names the table `i`. */
export const itemColumns = sql`
  i.id, i.project_id, i.collection_id, i.stac_id, i.type, ST_AsGeoJSON(i.geometry)::jsonb as geometry, i.bbox, i.datetime,
  i.start_datetime, i.end_datetime, i.cloud_cover, i.gsd, i.name, i.description, i.properties, i.stac_extensions, i.links,
  i.lifecycle_state, i.expires_at, i.archived_at, i.previous_version_id, i.duplicated_from_id, i.order_id, i.upload_id,
  i.job_id, i.deleted_at, i.created_by, i.created_at, i.updated_at`

/** Valid, flat, and of the dimension it was given in: what repair leaves over of another dimension is dropped. */
function storedGeometry(geometry: Geometry | null, dimension: 0 | 1 | 2 | null): Sql {
  if (!geometry) return sql`null::geometry`
  const valid = sql`ST_MakeValid(ST_Force2D(ST_SetSRID(ST_GeomFromGeoJSON(${JSON.stringify(geometry)}::text), 4326)))`
  return dimension === null ? valid : sql`ST_CollectionExtract(${valid}, ${dimension + 1}::integer)`
}

/** `exists`: the order has delivered this scene before. `collapsed`: nothing of the geometry is left once it is valid. */
export type Inserted = 'inserted' | 'exists' | 'collapsed'

export async function insertItem(tx: Tx, item: NewItem): Promise<Inserted> {
  const [row] = await tx.query<{ empty: boolean | null }>(sql`
    insert into items (organization_id, id, project_id, collection_id, stac_id, type, name, description, geometry, bbox,
                       datetime, start_datetime, end_datetime, covers_from, covers_to, cloud_cover, gsd, properties,
                       stac_extensions, links, order_id, scene_key, upload_id, job_id, created_by, created_at, updated_at)
    values (${item.organization_id}, ${item.id}, ${item.project_id}, ${item.collection_id}, ${item.stac_id}, ${item.type},
            ${item.name}, ${item.description}, ${storedGeometry(item.geometry, item.dimension)},
            ${item.bbox}::double precision[], ${item.datetime}, ${item.start_datetime}, ${item.end_datetime},
            ${item.start_datetime ?? item.datetime ?? item.created_at}, ${item.end_datetime ?? item.datetime ?? item.created_at},
            ${item.cloud_cover}, ${item.gsd}, ${sql.json(item.properties)}, ${item.stac_extensions}::text[],
            ${sql.json(item.links)}, ${item.order_id}, ${item.scene_key}, ${item.upload_id}, ${item.job_id},
            ${item.created_by}, ${item.created_at}, ${item.created_at})
    on conflict (organization_id, order_id, scene_key) where scene_key is not null do nothing
    returning ST_IsEmpty(geometry) as empty`)
  if (!row) return 'exists'
  return row.empty ? 'collapsed' : 'inserted'
}

/** The item, deleted or not. */
export async function findItem(db: Queryable, organization: string, id: string): Promise<ItemRow | null> {
  const [row] = await db.query<ItemRow>(sql`
    select ${itemColumns} from items i where i.organization_id = ${organization} and i.id = ${id}`)
  return row ?? null
}

export interface ItemListing {
  readonly project_id?: string
  readonly collection_id?: string
  /** Only items that are in no collection. */
  readonly uncollected?: boolean
  readonly limit: number
  readonly offset: number
}

/** Newest first, with the count of all. */
export async function listItems(
  db: Queryable,
  organization: string,
  listing: ItemListing,
): Promise<{ rows: ItemRow[]; total: number }> {
  const where = sql.join(
    [
      sql`i.organization_id = ${organization} and i.deleted_at is null and i.lifecycle_state <> 'expired'`,
      ...(listing.project_id === undefined ? [] : [sql`i.project_id = ${listing.project_id}`]),
      ...(listing.collection_id === undefined ? [] : [sql`i.collection_id = ${listing.collection_id}`]),
      ...(listing.uncollected ? [sql`i.collection_id is null`] : []),
    ],
    sql` and `,
  )
  const rows = await db.query<ItemRow>(sql`
    select ${itemColumns} from items i where ${where}
    order by i.created_at desc, i.id desc limit ${listing.limit} offset ${listing.offset}`)
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total from items i where ${where}`)
  return { rows, total: count?.total ?? 0 }
}

/** The items that an order has delivered, oldest first. */
export const listItemsOfOrder = (db: Queryable, organization: string, order_id: string): Promise<ItemRow[]> =>
  db.query<ItemRow>(sql`
    select ${itemColumns} from items i
    where i.organization_id = ${organization} and i.order_id = ${order_id} and i.deleted_at is null
    order by i.created_at, i.id`)

/**
 * Turns every item of a project into a tombstone: what names it stays, what describes it goes, its assets are gone.
 * Answers the ids of both and the bytes of the assets.
 */
export async function buryItemsOfProject(
  tx: Tx,
  organization: string,
  project_id: string,
  now: Date,
): Promise<{ items: string[]; assets: string[]; bytes: number }> {
  const assets = await tx.query<{ id: string; bytes: number | null }>(sql`
    update assets set deleted_at = ${now}, updated_at = ${now}, ready = false
    where organization_id = ${organization} and deleted_at is null
      and item_id in (select id from items where organization_id = ${organization} and project_id = ${project_id})
    returning id, file_size_bytes as bytes`)
  const items = await tx.query<{ id: string }>(sql`
    update items
    set deleted_at = ${now}, updated_at = ${now}, lifecycle_state = 'deleted', collection_id = null, geometry = null,
        bbox = null, description = null, properties = '{}', stac_extensions = '{}', links = '[]'
    where organization_id = ${organization} and project_id = ${project_id} and deleted_at is null
    returning id`)
  return {
    items: items.map((item) => item.id),
    assets: assets.map((asset) => asset.id),
    bytes: assets.reduce((sum, asset) => sum + (asset.bytes ?? 0), 0),
  }
}
