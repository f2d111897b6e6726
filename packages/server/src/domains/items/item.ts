import type { Asset } from '@swath/contract/schemas/asset.ts'
import type { Item } from '@swath/contract/schemas/item.ts'
import type { AssetRow } from './assets/store.assets.ts'
import type { ItemRow } from './store.ts'

const toIsoString = (time: Date | null): string | null => time?.toISOString() ?? null

/** Converts a row to the API representation: without links, timestamps as text, geometry with elevations. */
export function toItem(row: ItemRow): Item {
  const { links: _, stac_source, ...item } = row
  return {
    ...item,
    geometry: stac_source?.geometry ?? row.geometry,
    datetime: toIsoString(row.datetime),
    start_datetime: toIsoString(row.start_datetime),
    end_datetime: toIsoString(row.end_datetime),
    expires_at: toIsoString(row.expires_at),
    archived_at: toIsoString(row.archived_at),
    deleted_at: toIsoString(row.deleted_at),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** The authenticated URL of an asset; responds with a redirect to a signed URL. */
export const buildAssetHref = (base: string, item_id: string, asset_id: string): string =>
  `${base}/api/v1/items/${item_id}/assets/${asset_id}`

/** SHA-256 as a multihash: the code 0x12, the length 0x20, the digest. */
export const encodeSha256Multihash = (sha256: string): string => `1220${sha256}`

/** Converts a row to the API representation of an asset. */
export const toAsset = (row: AssetRow, base: string): Asset => ({
  id: row.id,
  item_id: row.item_id,
  key: row.key,
  title: row.title,
  media_type: row.media_type,
  roles: row.roles,
  file_size_bytes: row.file_size_bytes,
  band_names: row.band_names,
  href: buildAssetHref(base, row.item_id, row.id),
  ready: row.ready,
  checksum: row.checksum_sha256 === null ? null : encodeSha256Multihash(row.checksum_sha256),
  metadata: row.raster === null ? {} : { ...row.raster },
  created_at: row.created_at.toISOString(),
})
