import type { SampleArray } from '../../types.ts'
import type { MeasuredBandStatistics, HistogramOptions } from './measures.ts'

/** The samples of one band in memory. */
export interface PieceSamples {
  /** Begins with the first pixel. */
  readonly data: SampleArray
  /** Samples from one pixel to the next. */
  readonly stride: number
}

/** One band of some pixels, of which some are measured. */
export interface MeasuredPiece extends PieceSamples {
  /** One byte a pixel, 0 where it is not valid; null where all are. */
  readonly mask: Uint8Array | null
  /** The pixels that are measured: first pixel and number of pixels, again and again. */
  readonly runs: Int32Array
  /** One for each pixel, the part of it that counts; null where all count whole. */
  readonly weights: Float64Array | null
}

export interface AccumulatorOptions {
  readonly percentiles: readonly number[]
  readonly histogram: HistogramOptions | null
  readonly classes: boolean
  /** True where pixels come with weights. */
  readonly weighted: boolean
  /** The most values that are stored in memory. */
  readonly most_kept: number
  /** True for one pass: beyond `most_kept` values percentiles come from an even sample of them. */
  readonly sampled?: boolean
  /** Counters that one pass of a search for percentiles may have. */
  readonly counters: number
}

export type BandStatisticsValues = Omit<MeasuredBandStatistics, 'band' | 'valid_percent'>

/** Takes in the pixels of one band, piece by piece, in one or more passes over all of them. */
export interface BandAccumulator {
  add(piece: MeasuredPiece): void
  /** Ends a pass; true where another one is needed. */
  endPass(): boolean
  finish(): BandStatisticsValues
}
