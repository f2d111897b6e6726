import type { Expression } from '../expression/expression.ts'

/** Options of statistics. */
export interface RasterStatisticsOptions {
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  /** A formula to measure in place of bands. */
  readonly expression?: Expression
  /** 0-based band of the raster for each name in the formula; `b3` means the third band where no name says otherwise. */
  readonly names?: Readonly<Record<string, number>>
  /** Index into `levels`; default 0, the full one. */
  readonly level?: number
  /** Uses the coarsest level in which the measured part still has this many pixels, instead of `level`. */
  readonly approximate_pixels?: number
  /**
   * Maximum decoded bytes of one pass over the pixels: a larger level is replaced by the next smaller one. Fails with
   * `budget` if none is small enough. Not with `level`.
   */
  readonly max_decoded_bytes?: number
  /** 0 to 100; default 2 and 98. */
  readonly percentiles?: readonly number[]
  readonly histogram?: HistogramOptions
  /** Counts every distinct value; at most 65,536. */
  readonly classes?: boolean
  /** Applies scale and offset of the band to every value. */
  readonly scaled?: boolean
  /** Maximum bytes in memory. Default 256 MiB. */
  readonly budget_bytes?: number
  readonly signal?: AbortSignal
}

export interface HistogramOptions {
  /** Bins of equal width, 1 to 65,536. */
  readonly bins: number
  /** Lower and upper edge; default the smallest and largest finite value. */
  readonly range?: readonly [lowest: number, highest: number]
}

export interface BandHistogram {
  /**
   * Pixels of each bin (or the sum of their covered parts); a value on an edge belongs to the bin above, on the last
   * edge to the last bin.
   */
  readonly counts: readonly number[]
  /** One more than counts. */
  readonly edges: readonly number[]
}

export interface ClassValueCount {
  readonly value: number
  readonly count: number
}

/** Statistics of one band. Without a valid pixel all values but the counts are NaN. */
export interface MeasuredBandStatistics {
  /** 0-based; null for a formula. */
  readonly band: number | null
  /** Valid pixels; with coverage the sum of their covered parts. */
  readonly count: number
  /** Share of valid pixels in percent. */
  readonly valid_percent: number
  readonly sum: number
  readonly minimum: number
  readonly maximum: number
  readonly mean: number
  /** Of the population: the squares are divided by the count. */
  readonly stddev: number
  /** In the requested order. */
  readonly percentiles: readonly number[]
  readonly histogram: BandHistogram | null
  /** From the smallest value to the largest. */
  readonly classes: readonly ClassValueCount[] | null
}

/** The result of a measurement, with the measured level and window. */
export interface RasterStatistics {
  readonly level: number
  /** True if an overview was used because of `approximate_pixels` or `max_decoded_bytes`. */
  readonly approximate: boolean
  /** Pixel edges, in pixels of the level, of the measured box. */
  readonly window: readonly [x0: number, y0: number, x1: number, y1: number]
  readonly bands: readonly MeasuredBandStatistics[]
}
