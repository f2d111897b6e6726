import { createHash } from 'node:crypto'
import type { CogResult, Raster } from '@swath/raster'
import type { WorkOwner } from '../../engine/fair-queue.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { newId } from '../../platform/ids.ts'
import type { DeliveredAsset } from '../items/deliver.ts'
import type { RasterFacts } from '../items/raster-facts.ts'
import { drawThumbnail } from './thumbnail.ts'

const cogType = 'image/tiff; application=geotiff; profile=cloud-optimized'
const thumbnailType = 'image/jpeg'
const thumbnail_pixels = 512

/** Stores a local COG as the data asset of an item. */
export async function storeCog(
  blobs: Blobs,
  written: CogResult,
  asset: Pick<DeliveredAsset, 'key' | 'title' | 'blob_path' | 'raster'>,
): Promise<DeliveredAsset> {
  const stored = await blobs.putFile(asset.blob_path, written.path, cogType)
  return {
    ...asset,
    id: newId(),
    media_type: cogType,
    roles: ['data'],
    file_size_bytes: stored.size,
    checksum_sha256: written.sha256,
  }
}

/** Renders the thumbnail of an item. Throws `budget-exceeded` if it takes too long. */
export const drawItemThumbnail = (
  owner: WorkOwner,
  raster: Raster,
  facts: RasterFacts,
  signal: AbortSignal,
): Promise<Uint8Array> =>
  drawThumbnail({ owner, raster, bands: facts.bands, width: thumbnail_pixels, height: thumbnail_pixels, signal })

/** Stores that thumbnail as an asset of the item. */
export async function storeThumbnail(blobs: Blobs, bytes: Uint8Array, blob_path: string): Promise<DeliveredAsset> {
  await blobs.putBytes(blob_path, bytes, thumbnailType)
  return {
    id: newId(),
    key: 'thumbnail',
    title: 'Thumbnail',
    blob_path,
    media_type: thumbnailType,
    roles: ['thumbnail'],
    file_size_bytes: bytes.length,
    checksum_sha256: createHash('sha256').update(bytes).digest('hex'),
    raster: null,
  }
}
