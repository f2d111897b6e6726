import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { publishItemAccessChange } from '../../../platform/database/item-access.ts'
import { sql } from '../../../platform/database/sql.ts'
import {
  splitIntoBatches,
  buildValuesList,
  prepareByListLength,
} from '../../../platform/database/statements/values-list.ts'
import type { RasterMetadata } from './raster-metadata.ts'

export interface AssetRow {
  readonly id: string
  readonly item_id: string
  readonly key: string
  readonly title: string | null
  /** Path in blob storage; null for a file hosted elsewhere. */
  readonly blob_path: string | null
  readonly external_href: string | null
  readonly media_type: string
  readonly roles: string[]
  readonly file_size_bytes: number | null
  readonly checksum_sha256: string | null
  readonly band_names: string[]
  readonly raster: RasterMetadata | null
  /** Members of the source STAC asset that no other column stores. */
  readonly stac: Record<string, unknown>
  readonly ready: boolean
  readonly created_at: Date
  readonly updated_at: Date
}

export type NewAsset = Omit<AssetRow, 'created_at' | 'updated_at' | 'band_names' | 'roles' | 'stac'> & {
  readonly roles: readonly string[]
  readonly band_names: readonly string[]
  readonly stac: Readonly<Record<string, unknown>>
}

/** The columns, for a query with the table alias `a`. */
export const assetColumns = sql`
  a.id, a.item_id, a.key, a.title, a.blob_path, a.external_href, a.media_type, a.roles, a.file_size_bytes,
  a.checksum_sha256, a.band_names, a.raster, a.stac, a.ready, a.created_at, a.updated_at`

/** Inserts assets; violates a unique index if the item already has the key. */
export async function insertAssets(
  tx: Tx,
  organization: string,
  assets: readonly NewAsset[],
  now: OrganizationTime,
): Promise<void> {
  publishItemAccessChange(tx, organization)
  for (const batch of splitIntoBatches(assets))
    await tx.query(
      prepareByListLength(
        sql`
    insert into assets (organization_id, id, item_id, key, title, blob_path, external_href, media_type, roles,
                        file_size_bytes, checksum_sha256, band_names, raster, stac, ready, created_at, updated_at)
    values ${buildValuesList(
      batch,
      (asset) => sql`
        (${organization}, ${asset.id}, ${asset.item_id}, ${asset.key}, ${asset.title}, ${asset.blob_path},
         ${asset.external_href}, ${asset.media_type}, ${asset.roles}, ${asset.file_size_bytes}, ${asset.checksum_sha256},
         ${asset.band_names}, ${asset.raster === null ? null : sql.json(asset.raster)}, ${sql.json(asset.stac)},
         ${asset.ready}, ${now}, ${now})`,
    )}`,
        batch.length,
      ),
    )
}

export async function findAsset(
  db: SqlStatementRunner,
  organization: string,
  item_id: string,
  id: string,
): Promise<AssetRow | null> {
  const [row] = await db.query<AssetRow>(sql`
    select ${assetColumns} from assets a
    where a.organization_id = ${organization} and a.item_id = ${item_id} and a.id = ${id} and a.deleted_at is null`)
  return row ?? null
}

/** The asset stored at the path. */
export async function findAssetByBlob(
  db: SqlStatementRunner,
  organization: string,
  blob_path: string,
): Promise<AssetRow | null> {
  const [row] = await db.query<AssetRow>(sql`
    select ${assetColumns} from assets a
    where a.organization_id = ${organization} and a.blob_path = ${blob_path} and a.deleted_at is null
    order by a.id limit 1`)
  return row ?? null
}

/** The assets of some items by item id, sorted by key. */
export async function findAssetsByItem(
  db: SqlStatementRunner,
  organization: string,
  items: readonly string[],
): Promise<Map<string, AssetRow[]>> {
  if (items.length === 0) return new Map()
  const rows = await db.query<AssetRow>(sql`
    select ${assetColumns} from assets a
    where a.organization_id = ${organization} and a.item_id = any(${items}::uuid[]) and a.deleted_at is null
    order by a.key`)
  return Map.groupBy(rows, (row) => row.item_id)
}

export const findAssetsOfItem = async (
  db: SqlStatementRunner,
  organization: string,
  item_id: string,
): Promise<AssetRow[]> => (await findAssetsByItem(db, organization, [item_id])).get(item_id) ?? []

/** An asset in blob storage. */
export interface BlobAsset {
  readonly asset_id: string
  readonly object_path: string
}

/** The paths among these that an asset refers to in blob storage, deleted or not. */
export async function findReferencedBlobPaths(
  db: SqlStatementRunner,
  organization: string,
  paths: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ blob_path: string }>(sql`
    select distinct blob_path from assets where organization_id = ${organization} and blob_path = any(${paths}::text[])`)
  return new Set(rows.map(({ blob_path }) => blob_path))
}

/**
 * Assets of an organization in blob storage that are not deleted, at all paths or some. Of assets that share a blob, the
 * oldest, to which its bytes are attributed.
 */
export async function listBlobAssets(
  db: SqlStatementRunner,
  organization: string,
  paths: readonly string[] | null = null,
): Promise<BlobAsset[]> {
  const where = paths === null ? sql`a.blob_path is not null` : sql`a.blob_path = any(${paths}::text[])`
  return db.query<BlobAsset>(sql`
    select distinct on (a.blob_path) a.id as asset_id, a.blob_path as object_path from assets a
    where a.organization_id = ${organization} and ${where} and a.deleted_at is null
    order by a.blob_path, a.id`)
}
