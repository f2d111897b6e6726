import type { AssetRow } from '../store.assets.ts'
import type { ArchiveSubject } from './archive-url.ts'
import type { ArchivedItem } from './archive-content.ts'

const describeAsset = (asset: AssetRow) => ({
  asset_id: asset.id,
  key: asset.key,
  media_type: asset.media_type,
  roles: asset.roles,
  size_bytes: asset.file_size_bytes,
  sha256: asset.checksum_sha256,
})

/** The manifest of the archive as JSON text; files hosted elsewhere are listed with their URL. */
export function formatManifest(subject: ArchiveSubject, content: readonly ArchivedItem[]): string {
  const items = content.map(({ item, files, left_out }) => ({
    item_id: item.id,
    stac_id: item.stac_id,
    name: item.name,
    datetime: (item.datetime ?? item.start_datetime)?.toISOString() ?? null,
    order_id: item.order_id,
    files: files.map(({ path, asset }) => ({ path, ...describeAsset(asset) })),
    left_out: left_out.map((asset) => ({ ...describeAsset(asset), ready: asset.ready, href: asset.external_href })),
  }))
  return `${JSON.stringify({ type: subject.type, id: subject.id, items }, null, 2)}\n`
}

/** Checksums in the format of `sha256sum -c`; files without a checksum are omitted. */
export const formatChecksums = (content: readonly ArchivedItem[]): string =>
  content
    .flatMap(({ files }) => files)
    .flatMap(({ path, asset }) => (asset.checksum_sha256 === null ? [] : [`${asset.checksum_sha256}  ${path}\n`]))
    .join('')
