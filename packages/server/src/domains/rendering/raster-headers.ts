import { defineService } from '../../engine/process-services.ts'
import { createHeaderCache, type HeaderCache } from '@swath/raster'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { SafeFetch } from '../../platform/integrations/integrations.ts'
import { createRemoteHeaderCache, type RemoteHeaderCache } from './remote-headers.ts'

/**
 * Caches of opened raster headers. A cached raster reads its blocks through what opened it, so there is one cache per object
 * store (tasks use one with longer time limits than requests) and one per fetcher.
 */
export interface RasterHeaders {
  stored(blobs: BlobStore): HeaderCache
  /** Shared by all callers, because requests to remote servers carry no credentials. */
  remote(fetch: SafeFetch): RemoteHeaderCache
}

export const rasterHeadersKey = defineService<RasterHeaders>('rasterHeaders')

export const createRasterHeaders = (): RasterHeaders => ({
  stored: createOncePerKey(() => createHeaderCache()),
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
