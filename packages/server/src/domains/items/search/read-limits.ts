import { createCountingSource, RasterFailure, type Raster } from '@swath/raster'

const mib = 1024 * 1024

/**
 * Read limits of one call, over all files that it reads, stored or remote. `reads` counts range requests to a store or
 * server, `decoded_bytes` limits decoded pixels at one time, `ms` limits the duration.
 */
export const rasterReadLimits = {
  /** Opening a file: its header and directories. */
  opening: { reads: 100, decoded_bytes: 0, ms: 10_000 },
  /** A tile of one item or a mosaic, in any format, or a point. */
  tile: { reads: 100, decoded_bytes: 64 * mib, ms: 5000 },
  /** An image of a whole file, in its own grid. */
  image: { reads: 200, decoded_bytes: 256 * mib, ms: 30_000 },
  /** Statistics and histograms. */
  measurement: { reads: 1000, decoded_bytes: 1024 * mib, ms: 20_000 },
} as const

export type RasterReadPurpose = keyof typeof rasterReadLimits

/** The remaining reads of one call. */
export interface RasterReadBudget {
  /** Uses one read. Throws a `RasterFailure` of kind `budget` if none is left. */
  beforeRead(): void
}

export function createRasterReadBudget(purpose: RasterReadPurpose): RasterReadBudget {
  const { reads } = rasterReadLimits[purpose]
  let reads_used = 0
  return {
    beforeRead: () => {
      if (++reads_used > reads) throw new RasterFailure('budget', `more than ${reads} reads for one ${purpose}`)
    },
  }
}

/** Limits the reads of a raster. Local files are read by worker threads: only their bytes and time are limited. */
export function withRasterReadBudget(raster: Raster, budget: RasterReadBudget): Raster {
  const { source } = raster
  return source.path === undefined ? { ...raster, source: createCountingSource(source, budget) } : raster
}
