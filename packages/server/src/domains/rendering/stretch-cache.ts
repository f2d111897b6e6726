import type { BoundedCache } from '../../platform/bounded-cache.ts'
import type { Raster, RescaleRange } from '@swath/raster'

/** Ranges by opened file and style: the preview is read once, not per tile, even if a request is cancelled. */
export type StretchCache = WeakMap<Raster['levels'], BoundedCache<string, Promise<readonly RescaleRange[]>>>
