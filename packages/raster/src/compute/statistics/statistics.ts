import { computeNodataRange, getSampleTypeOfArray } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import type { BandStatistics, PixelBlock, PixelRows, SampleType } from '../../types.ts'
import { createAccumulator } from './create-accumulator.ts'
import type { BandAccumulator, BandStatisticsValues, MeasuredPiece } from './accumulator.ts'
import type { ValidValueRules } from './value-chunk.ts'

const thumbnailStatistics = {
  percentiles: [2, 98],
  histogram: null,
  classes: false,
  weighted: false,
  counters: 2 ** 20,
}

/**
 * Statistics of every band of a block over its valid pixels that hold finite numbers; exact, percentiles as numpy's default
 * (linear) gives them.
 *
 * @param nodata a value to leave out band by band, besides the mask.
 */
export function computeBandStatistics(block: PixelBlock, nodata: number | null = null): BandStatistics[] {
  const type = getSampleTypeOfArray(block.data)
  const size = block.width * block.height
  const rules: ValidValueRules = {
    masked: true,
    nodata: computeNodataRange(nodata, type),
    scale: 1,
    offset: 0,
    finite: true,
  }
  return Array.from({ length: block.bands }, (_, band) => {
    const data = block.data.subarray(band * size, (band + 1) * size)
    const piece = { data, stride: 1, mask: block.mask, runs: Int32Array.of(0, size), weights: null }
    return toBandStatistics(
      measurePiece(piece, createAccumulator(type, rules, { ...thumbnailStatistics, most_kept: size })),
      size,
    )
  })
}

function measurePiece(piece: MeasuredPiece, meter: BandAccumulator): BandStatisticsValues {
  do meter.add(piece)
  while (meter.endPass())
  return meter.finish()
}

/** The statistics of a band as files hold them. @param size all its pixels, valid or not. */
function toBandStatistics(
  { count, minimum, maximum, mean, stddev, percentiles }: BandStatisticsValues,
  size: number,
): BandStatistics {
  const [p2, p98] = count > 0 ? percentiles : []
  const valid_percent = size > 0 ? (100 * count) / size : 0
  return { minimum, maximum, mean, stddev, valid_percent, p2: p2 ?? null, p98: p98 ?? null }
}

/** Values stored for percentiles of images that are read once: exact up to here, an even sample beyond. */
const max_sampled_values = 1_048_576

/** Samples looked at before the next band: little enough to stay in the processor's cache. */
const piece_samples = 65_536

/** Statistics of every band of an image while its rows come in. */
export interface ImageRowStatistics {
  add(rows: PixelRows): void
  finish(): BandStatistics[]
}

/**
 * Begins the statistics of an image that is seen once. A sample counts unless its pixel is masked, it equals nodata or it is
 * not finite; of an alpha band all count. Percentiles are exact for 8 and 16 bits and up to a million values.
 */
export function startImageRowStatistics(
  type: SampleType,
  bands: number,
  nodata: NodataRange | null,
  alphaBand: number,
): ImageRowStatistics {
  const options = { ...thumbnailStatistics, most_kept: max_sampled_values, sampled: true }
  const meters = Array.from({ length: bands }, (_, band) => {
    const isAlpha = band === alphaBand
    return createAccumulator(
      type,
      { masked: !isAlpha, nodata: isAlpha ? null : nodata, scale: 1, offset: 0, finite: true },
      options,
    )
  })
  let seen = 0
  return {
    add: ({ data, width, rows, mask }) => {
      const pixels = width * rows
      const step = Math.max(1, Math.floor(piece_samples / bands))
      seen += pixels
      for (let from = 0; from < pixels; from += step) {
        const runs = Int32Array.of(from, Math.min(step, pixels - from))
        for (const [band, meter] of meters.entries())
          meter.add({ data: data.subarray(band), stride: bands, mask, runs, weights: null })
      }
    },
    finish: () =>
      meters.map((meter) => {
        meter.endPass()
        return toBandStatistics(meter.finish(), seen)
      }),
  }
}
