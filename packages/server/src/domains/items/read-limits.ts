import { countingSource, RasterFailure, type Raster } from '@swath/raster'

const mib = 1024 * 1024

/**
 * What one call may take of the files that it reads, all of them together and wherever they lie: with an item, in a bucket, at a
 * catalogue's server or at any other address. `reads` are ranges that are asked of a store or server, `decoded_bytes` of pixels at
 * once, `ms` of time.
 */
export const readLimits = {
  /** Of the header, and what follows from it. */
  opening: { reads: 100, decoded_bytes: 0, ms: 10_000 },
  /** Of one item or of several over each other, in every format, and a point, which is read as a tile is. */
  tile: { reads: 100, decoded_bytes: 64 * mib, ms: 5000 },
  /** Of a whole file, in its own grid. */
  picture: { reads: 200, decoded_bytes: 256 * mib, ms: 30_000 },
  /** Statistics and histograms. */
  measurement: { reads: 1000, decoded_bytes: 1024 * mib, ms: 20_000 },
} as const

export type ReadKind = keyof typeof readLimits

/** What is left of the reads of one call. */
export interface ReadBudget {
  /** Throws the `RasterFailure` of `budget` where nothing is left. */
  take(): void
}

export function openBudget(kind: ReadKind): ReadBudget {
  const { reads } = readLimits[kind]
  let taken = 0
  return {
    take: () => {
      if (++taken > reads) throw new RasterFailure('budget', `more than ${reads} reads for one ${kind}`)
    },
  }
}

/** The raster with its reads taken from a budget. A local file is read by threads, without asking anybody: its bytes and time count. */
export function withBudget(raster: Raster, budget: ReadBudget): Raster {
  const { source } = raster
  return source.path === undefined ? { ...raster, source: countingSource(source, budget) } : raster
}
