import { openRaster, rangedSource, type Raster } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { invariant } from '../../engine/problem.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { AssetRow } from './store.assets.ts'

const limit_headers = 500

/** Opened headers by store and by content: the path of a blob never changes its bytes, the checksum says so again. */
const headers = new WeakMap<Blobs, Map<string, Promise<Raster>>>()

/**
 * The stored raster of an asset, opened for reading through the blobs. Headers are kept, the least used are dropped.
 * Throws a `RasterFailure`; checks nobody's rights (`requireItem` does).
 */
export function rasterOf(call: Pick<Call, 'blobs'>, asset: AssetRow): Promise<Raster> {
  const { blobs } = call
  const { blob_path } = asset
  invariant(blob_path !== null, 'only an asset whose bytes are stored has a raster to open')
  const kept = headers.get(blobs) ?? new Map<string, Promise<Raster>>()
  headers.set(blobs, kept)
  const key = `${blob_path} ${asset.checksum_sha256 ?? asset.updated_at.getTime()}`
  const known = kept.get(key)
  kept.delete(key)
  const opened = known ?? openRaster(sourceOf(blobs, blob_path, asset.file_size_bytes))
  kept.set(key, opened)
  if (!known) {
    opened.catch(() => kept.delete(key))
    const oldest = kept.keys().next().value
    if (kept.size > limit_headers && oldest !== undefined) kept.delete(oldest)
  }
  return opened
}

const sourceOf = (blobs: Blobs, path: string, size: number | null) =>
  rangedSource(path, size ?? undefined, (offset, length, signal) => blobs.read(path, offset, length, signal))
