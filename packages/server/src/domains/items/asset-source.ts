import {
  createHeaderCache,
  keepHead,
  openRaster,
  pathSource,
  rangedSource,
  type HeaderCache,
  type Raster,
  type Source,
} from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { invariant } from '../../engine/problem.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { fetchableAddress, outsideRaster, stateOf, type OutsideReader } from './outside-raster.ts'
import { openBudget, withBudget, type ReadBudget } from './read-limits.ts'
import type { AssetRow } from './store.assets.ts'

/** Caches of opened headers, by blob store. */
const headers = new WeakMap<Blobs, HeaderCache>()

/**
 * Opens the raster of an asset: from local disk (in any thread), through the blob store, or by HTTP range requests for a
 * remote file. Headers are cached by path and checksum: the bytes at a blob path never change. Throws a `RasterFailure`;
 * checks no permissions (`requireItem` does).
 *
 * @param budget read budget of the call, over all files.
 */
export async function rasterOf(
  call: Pick<Call, 'blobs'> & OutsideReader,
  asset: AssetRow,
  budget: ReadBudget,
): Promise<Raster> {
  const { blobs } = call
  const { blob_path, external_href } = asset
  if (external_href !== null) return outsideRaster(call, fetchableAddress(external_href), budget)
  invariant(blob_path !== null, 'only an asset with stored bytes can be opened here')
  const kept = headers.get(blobs) ?? createHeaderCache()
  headers.set(blobs, kept)
  const name = { id: blob_path, etag: asset.checksum_sha256 ?? String(asset.updated_at.getTime()) }
  const raster = await kept.get(name, async () => openRaster(await sourceOf(blobs, blob_path, asset.file_size_bytes)))
  return withBudget(raster, budget)
}

/**
 * A tag that changes with the pixels of an asset: the checksum of a stored file, or the strong ETag of a remote file;
 * null if its server sends none.
 */
export async function contentOf(call: Pick<Call, 'blobs'> & OutsideReader, asset: AssetRow): Promise<string | null> {
  if (asset.external_href !== null) return stateOf(await rasterOf(call, asset, openBudget('opening')))
  return asset.checksum_sha256 ?? asset.id
}

async function sourceOf(blobs: Blobs, path: string, size: number | null): Promise<Source> {
  const local = blobs.localPath(path)
  if (local !== null) return pathSource(local, path)
  const remote = rangedSource(path, size ?? undefined, (...range) => blobs.read(path, ...range))
  return keepHead(remote)
}
