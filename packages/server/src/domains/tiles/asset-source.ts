import { rasterHeadersServiceKey } from './raster-headers.ts'
import {
  createHeaderCachingSource,
  openRaster,
  createOnDemandFileSource,
  createRangedSource,
  type Raster,
  type RasterByteSource,
} from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { assertInvariant } from '../../engine/problem.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { s3ToHttpsUrl, openRemoteRaster, computeRemoteContentTag, type RemoteReadContext } from './url/remote-raster.ts'
import { createRasterReadBudget, withRasterReadBudget, type RasterReadBudget } from '../items/search/read-limits.ts'
import type { AssetRow } from '../items/assets/store.assets.ts'

/**
 * Opens the raster of an asset: from local disk (in any thread), through the blob store, or by HTTP range requests for a
 * remote file. Headers are cached by path and checksum: the bytes at a blob path never change. Throws a `RasterFailure`;
 * checks no permissions (`requireItem` does).
 *
 * @param budget read budget of the call, over all files.
 */
export async function openAssetRaster(
  call: Pick<Call, 'blobs'> & RemoteReadContext,
  asset: AssetRow,
  budget: RasterReadBudget,
): Promise<Raster> {
  const { blobs } = call
  const { blob_path, external_href } = asset
  if (external_href !== null) return openRemoteRaster(call, s3ToHttpsUrl(external_href), budget)
  assertInvariant(blob_path !== null, 'only an asset with stored bytes can be opened here')
  const cacheKey = { id: blob_path, etag: asset.checksum_sha256 ?? String(asset.updated_at.getTime()) }
  const raster = await call.processServices
    .get(rasterHeadersServiceKey)
    .stored(blobs)
    .get(cacheKey, async () => openRaster(await openBlobSource(blobs, blob_path, asset.file_size_bytes)))
  return withRasterReadBudget(raster, budget)
}

/**
 * A tag that changes with the pixels of an asset: the checksum of a stored file, or the strong ETag of a remote file;
 * null if its server sends none.
 */
export async function computeAssetContentTag(
  call: Pick<Call, 'blobs'> & RemoteReadContext,
  asset: AssetRow,
): Promise<string | null> {
  if (asset.external_href !== null)
    return computeRemoteContentTag(await openAssetRaster(call, asset, createRasterReadBudget('opening')))
  return asset.checksum_sha256 ?? asset.id
}

async function openBlobSource(blobs: BlobStore, path: string, size: number | null): Promise<RasterByteSource> {
  const local = blobs.localPath(path)
  if (local !== null) return createOnDemandFileSource(local, path)
  const remote = createRangedSource(path, size ?? undefined, (...range) => blobs.read(path, ...range))
  return createHeaderCachingSource(remote)
}
