import { openBlockCache } from './block-cache.ts'
import type { BlockCache, BlockCacheHandle } from './block-cache.ts'

let cache: BlockCache | null = null

/** Makes this thread share decoded blocks with all others that have the same handle. */
export function setSharedBlockCache(handle: BlockCacheHandle): void {
  cache?.close()
  cache = openBlockCache(handle)
}

/** The cache that this thread shares, if it shares one. */
export function getSharedBlockCache(): BlockCache | null {
  return cache
}
