import type { ProcessServices } from './engine/process-services.ts'
import { createImageCache } from './domains/rendering/image-response.ts'
import { createRasterHeaders } from './domains/rendering/raster-headers.ts'
import { createRasterService } from './domains/rendering/raster-pool.ts'
import { createShareVisitors } from './domains/share/share-visitors.ts'
import { createVectorService } from './domains/vectors/vector-worker/vector-worker.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import type { RateLimiter } from './platform/rate-limits/rate-limit.ts'

/** The services that have threads, which tests share between applications. */
export type ThreadServices = Pick<ProcessServices, 'rasters' | 'vectors'>

type ThreadSettings = Pick<Config, 'raster_threads' | 'raster_cache_mib' | 'max_wait_ms'>

export const createThreadServices = ({
  raster_threads: threads,
  raster_cache_mib: cache_mib,
  max_wait_ms,
}: ThreadSettings): ThreadServices => ({
  rasters: createRasterService({ threads, cache_mib, max_wait_ms }),
  vectors: createVectorService(),
})

export async function closeThreadServices({ rasters, vectors }: ThreadServices): Promise<void> {
  await rasters.close()
  await vectors.close()
}

export const createProcessServices = (
  threads: ThreadServices,
  rateLimiter: RateLimiter,
  clock: Clock,
  { tile_cache_mib }: Pick<Config, 'tile_cache_mib'>,
): ProcessServices => ({
  ...threads,
  images: createImageCache(tile_cache_mib * 1024 * 1024),
  rasterHeaders: createRasterHeaders(),
  shareVisitors: createShareVisitors(rateLimiter, clock),
})
