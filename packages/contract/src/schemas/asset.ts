import Type, { type Static } from 'typebox'
import { Count, Nullable, AnyObject, Timestamp, Uuid, OptionalNullable } from './primitives.ts'

const assetFields = {
  id: Uuid,
  media_type: Type.String(),
  roles: Type.Array(Type.String()),
  file_size_bytes: Nullable(Count),
  band_names: Type.Array(Type.String()),
  href: Type.String({
    description: 'URL of the file, which requires a token; redirects to a signed URL.',
  }),
  ready: Type.Boolean({ description: 'True if the bytes are in storage.' }),
}

/** A file as the manifest of a delivery lists it. */
export const ManifestAsset = Type.Object(assetFields)

/** A file of an item. */
export const Asset = Type.Object({
  ...assetFields,
  item_id: Uuid,
  key: Type.String({ description: 'Key of the asset in the item, such as `data` or `thumbnail`.' }),
  title: Nullable(Type.String()),
  checksum: Nullable(
    Type.String({ description: 'SHA-256 as a multihash in hexadecimal; the `file:checksum` of STAC.' }),
  ),
  metadata: AnyObject,
  created_at: Timestamp,
})

/** A signed URL, which needs no token; downloads count as egress. */
export const AssetDownload = Type.Object({
  url: Type.String(),
  expires_in_seconds: Type.Integer({ minimum: 0 }),
  asset_id: Uuid,
  size_bytes: Nullable(Count),
  media_type: Type.String(),
})

/** A signed URL that streams all files of an item or an order as one ZIP. */
export const ArchiveDownload = Type.Object({
  url: Type.String(),
  expires_in_seconds: Type.Integer({ minimum: 0 }),
  file_name: Type.String(),
  file_count: Count,
  files_bytes: Type.Integer({ minimum: 0, description: 'Total size of the files, without the overhead of the ZIP.' }),
  media_type: Type.Literal('application/zip'),
})

export type ArchiveDownload = Static<typeof ArchiveDownload>
export type ManifestAsset = Static<typeof ManifestAsset>
export type Asset = Static<typeof Asset>
export type AssetDownload = Static<typeof AssetDownload>

/** The asset of an item that is read as vector features. */
export const VectorAssetKey = OptionalNullable(
  Type.String({ maxLength: 200, description: 'Key of the asset; defaults to the first one with vector features.' }),
)
