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

/** Opened headers by store. */
const headers = new WeakMap<Blobs, HeaderCache>()

/**
 * The raster of an asset, opened for reading: from the disk by whichever thread wants it, through the store, or, for a
 * file that stays with somebody else, range by range from there.
 * Headers are kept by content: the path of a blob never changes its bytes, the checksum says so again. Throws a
 * `RasterFailure`; checks nobody's rights (`requireItem` does).
 *
 * @param budget what the call may read, of all files together.
 */
export async function rasterOf(
  call: Pick<Call, 'blobs'> & OutsideReader,
  asset: AssetRow,
  budget: ReadBudget,
): Promise<Raster> {
  const { blobs } = call
  const { blob_path, external_href } = asset
  if (external_href !== null) return outsideRaster(call, fetchableAddress(external_href), budget)
  invariant(blob_path !== null, 'only an asset whose bytes are stored has a raster to open')
  const kept = headers.get(blobs) ?? createHeaderCache()
  headers.set(blobs, kept)
  const name = { id: blob_path, etag: asset.checksum_sha256 ?? String(asset.updated_at.getTime()) }
  const raster = await kept.get(name, async () => openRaster(await sourceOf(blobs, blob_path, asset.file_size_bytes)))
  return withBudget(raster, budget)
}

/**
 * What the pixels of an asset are, in a word that changes with them: the checksum of a file of ours, else the state that its
 * server names; null where that promises nothing.
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
