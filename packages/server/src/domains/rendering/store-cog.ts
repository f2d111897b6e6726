import { createHash } from 'node:crypto'
import type { CogResult, Raster } from '@swath/raster'
import type { QueueOwner } from '../../engine/fair-queue.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { newId } from '../../platform/ids.ts'
import type { DeliveredAsset } from '../items/deliver.ts'
import type { RasterMetadata } from '../items/assets/raster-metadata.ts'
import { renderThumbnail } from './preview.ts'

const cogMediaType = 'image/tiff; application=geotiff; profile=cloud-optimized'
const thumbnailMediaType = 'image/jpeg'
const thumbnail_pixels = 512

/** Stores a local COG as the data asset of an item. */
export async function storeCog(
  blobs: BlobStore,
  cogResult: CogResult,
  asset: Pick<DeliveredAsset, 'key' | 'title' | 'blob_path' | 'raster'>,
): Promise<DeliveredAsset> {
  const stored = await blobs.putFile(asset.blob_path, cogResult.path, cogMediaType)
  return {
    ...asset,
    id: newId(),
    media_type: cogMediaType,
    roles: ['data'],
    file_size_bytes: stored.size,
    checksum_sha256: cogResult.sha256,
  }
}

/** Renders the thumbnail of an item. Throws `budget-exceeded` if it takes too long. */
export const renderItemThumbnail = (
  owner: QueueOwner,
  raster: Raster,
  metadata: RasterMetadata,
  signal: AbortSignal,
): Promise<Uint8Array> =>
  renderThumbnail({ owner, raster, bands: metadata.bands, width: thumbnail_pixels, height: thumbnail_pixels, signal })

/** Stores that thumbnail as an asset of the item. */
export async function storeThumbnail(blobs: BlobStore, bytes: Uint8Array, blob_path: string): Promise<DeliveredAsset> {
  await blobs.putBytes(blob_path, bytes, thumbnailMediaType)
  return {
    id: newId(),
    key: 'thumbnail',
    title: 'Thumbnail',
    blob_path,
    media_type: thumbnailMediaType,
    roles: ['thumbnail'],
    file_size_bytes: bytes.length,
    checksum_sha256: createHash('sha256').update(bytes).digest('hex'),
    raster: null,
  }
}
