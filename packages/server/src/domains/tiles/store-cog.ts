import { createHash } from 'node:crypto'
import type { CogResult, Raster } from '@swath/raster'
import { Problem } from '../../engine/problem.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { newId } from '../../platform/ids.ts'
import type { DeliveredAsset } from '../items/deliver.ts'
import type { RasterMetadata } from '../items/assets/raster-metadata.ts'
import { renderThumbnail } from './preview.ts'
import type { OrganizationRasterJobRunner } from './raster-pool.ts'

const cogMediaType = 'image/tiff; application=geotiff; profile=cloud-optimized'
const thumbnailMediaType = 'image/jpeg'
const thumbnail_pixels = 512

/** A raster file that was converted to a COG, to be stored as assets of an item. */
export interface CogToStore {
  readonly jobs: OrganizationRasterJobRunner
  readonly blobs: BlobStore
  readonly cogResult: CogResult
  /** The converted file, opened. */
  readonly cog: Raster
  readonly asset: Pick<DeliveredAsset, 'key' | 'title' | 'blob_path'> & { readonly raster: RasterMetadata }
  /** `optional`: no thumbnail if rendering fails with a problem, such as too much time. */
  readonly thumbnail: 'required' | 'optional' | 'none'
  readonly thumbnail_blob_path: string
  readonly signal: AbortSignal
}

export interface StoredCog {
  readonly dataAsset: DeliveredAsset
  readonly thumbnailAssets: readonly DeliveredAsset[]
}

/** Stores a converted raster and its thumbnail in blob storage, as assets of an item that is written afterwards. */
export async function storeCog(store: CogToStore): Promise<StoredCog> {
  const { blobs, cogResult, asset, thumbnail_blob_path } = store
  const thumbnail = store.thumbnail === 'none' ? null : await renderItemThumbnail(store)
  const thumbnailAssets = thumbnail === null ? [] : [await storeThumbnail(blobs, thumbnail, thumbnail_blob_path)]
  const stored = await blobs.putFile(asset.blob_path, cogResult.path, cogMediaType)
  const dataAsset = {
    ...asset,
    id: newId(),
    media_type: cogMediaType,
    roles: ['data'],
    file_size_bytes: stored.size,
    checksum_sha256: cogResult.sha256,
  }
  return { dataAsset, thumbnailAssets }
}

async function renderItemThumbnail({ jobs, cog, asset, thumbnail, signal }: CogToStore): Promise<Uint8Array | null> {
  const size = { width: thumbnail_pixels, height: thumbnail_pixels }
  try {
    return await renderThumbnail({ jobs, raster: cog, bands: asset.raster.bands, ...size, signal })
  } catch (error) {
    if (thumbnail === 'optional' && error instanceof Problem) return null
    throw error
  }
}

async function storeThumbnail(blobs: BlobStore, bytes: Uint8Array, blob_path: string): Promise<DeliveredAsset> {
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
