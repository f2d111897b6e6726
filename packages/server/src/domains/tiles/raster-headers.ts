import { defineService } from '../../engine/process-services.ts'
import {
  type HeaderCache,
  type HttpFetch,
  type Raster,
  RasterFailure,
  createCountingSource,
  createRasterHeaderCache,
  createHttpSource,
  openRaster,
} from '@swath/raster'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { SafeFetch } from '../../platform/integrations/integrations.ts'
import { createBoundedCache } from '../../platform/bounded-cache.ts'
import { newId } from '../../platform/ids.ts'
import { rasterReadLimits } from '../items/search/read-limits.ts'

/** Timeout of one request. */
const timeout_ms = 5000
/** Limits of all requests to open a file. A header scattered over the file is not worth waiting for. */
const { reads: max_open_reads, ms: max_open_ms } = rasterReadLimits.opening
/** A header is used for this long before it is revalidated. */
const revalidate_after_ms = 60_000
const max_headers = 1000

/** A cache of opened headers of remote files, revalidated periodically. */
interface RemoteHeaderCache {
  /** The raster at a URL, opened if it is not cached or has changed. Its decoded blocks are cached with it. */
  open(url: string, now_ms: number, signal: AbortSignal): Promise<Raster>
  /** Evicts a file that has changed or cannot be fetched. */
  forget(url: string): void
}

/** The version of a cached header, a new one on each open, and the time of its last revalidation. */
interface HeaderVersion {
  readonly version: string
  checked_ms: number
}

function createRemoteHeaderCache(safeFetch: SafeFetch): RemoteHeaderCache {
  const headerCache = createRasterHeaderCache({ entries: max_headers })
  const open = (url: string) => (signal: AbortSignal) => openWithTimeout(url, createRangeFetcher(safeFetch), signal)
  const cacheKey = (url: string, tracked: HeaderVersion) => ({ id: url, etag: tracked.version })
  const versions = createBoundedCache<string, HeaderVersion>({
    max_entries: max_headers,
    onRemove: (version, url) => headerCache.delete(cacheKey(url, version)),
  })

  const tracked = (url: string, now_ms: number): HeaderVersion => {
    const cached = versions.get(url)
    if (cached) return cached
    const version = { version: newId(), checked_ms: now_ms }
    versions.set(url, version)
    return version
  }

  return {
    forget: (url) => versions.delete(url),
    open: async (url, now_ms, signal) => {
      const version = tracked(url, now_ms)
      const raster = await headerCache.get(cacheKey(url, version), open(url), signal)
      if (now_ms - version.checked_ms < revalidate_after_ms) return raster
      // Only one concurrent caller revalidates; the others use the cached header.
      version.checked_ms = now_ms
      if (await isUnchanged(safeFetch, url, raster, signal)) return raster
      versions.delete(url)
      return headerCache.get(cacheKey(url, tracked(url, now_ms)), open(url), signal)
    },
  }
}

async function openWithTimeout(url: string, fetchRange: HttpFetch, signal: AbortSignal): Promise<Raster> {
  const timeout = AbortSignal.timeout(max_open_ms)
  const source = createHttpSource(url, fetchRange)
  try {
    const limitedSource = createCountingSource(source, { reads: max_open_reads })
    // Later reads are counted by the budget of each call.
    return { ...(await openRaster(limitedSource, { signal: AbortSignal.any([signal, timeout]) })), source }
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error
    throw new RasterFailure('source', `the file could not be opened within ${max_open_ms / 1000} seconds`)
  }
}

function createRangeFetcher(safeFetch: SafeFetch): HttpFetch {
  return async (url, { headers, signal, limit_bytes }) => {
    const response = await safeFetch(url, { headers, timeout_ms, limit_bytes, signal })
    return { status: response.status, headers: new Headers(response.headers), body: response.body }
  }
}

/** True if ETag and size are unchanged. A file without an ETag may have changed. */
async function isUnchanged(
  safeFetch: SafeFetch,
  url: string,
  { source }: Raster,
  signal: AbortSignal,
): Promise<boolean> {
  if (source.etag === undefined) return false
  try {
    const { status, headers } = await safeFetch(url, {
      headers: { range: 'bytes=0-0' },
      limit_bytes: 1024,
      timeout_ms,
      signal,
    })
    const size = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]
    return status === 206 && headers['etag'] === source.etag && Number(size) === source.size
  } catch {
    // Opening it again reports the error.
    return false
  }
}

/**
 * Caches of opened raster headers. A cached raster reads its blocks through what opened it, so there is one cache per object
 * store (tasks use one with longer time limits than requests) and one per fetcher.
 */
export interface RasterHeaderCaches {
  stored(blobs: BlobStore): HeaderCache
  /** Shared by all callers, because requests to remote servers carry no credentials. */
  remote(fetch: SafeFetch): RemoteHeaderCache
}

export const rasterHeadersServiceKey = defineService<RasterHeaderCaches>('rasterHeaders')

export const createRasterHeaderCaches = (): RasterHeaderCaches => ({
  stored: createOncePerKey(() => createRasterHeaderCache()),
  remote: createOncePerKey(createRemoteHeaderCache),
})

function createOncePerKey<Key extends WeakKey, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>()
  return (key) => {
    const value = values.get(key) ?? create(key)
    values.set(key, value)
    return value
  }
}
