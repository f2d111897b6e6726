import { sampleTypeProperties } from '../../sample-types.ts'
import type { SampleType } from '../../types.ts'
import type { AccumulatorOptions, BandAccumulator, MeasuredPiece } from './accumulator.ts'
import type { ValidValueRules } from './value-chunk.ts'
import { createStreamingStatistics } from './streaming-statistics.ts'
import { createIntegerHistogram, listCountedValues, computeStatisticsFromCounts } from './integer-histogram.ts'

/** Pixels up to which samples are counted between their smallest and largest one alone: counters for all would cost more. */
const max_kept_pixels = 32_768

/** Count of each sample from `lowest` on. */
interface RangeCounts {
  lowest: number
  totals: Float64Array
}

/** Measures one band of 16 bits of few pixels, with counters between their smallest and largest sample alone. */
function createSmallHistogram(rules: ValidValueRules, options: AccumulatorOptions): BandAccumulator {
  const counts: RangeCounts = { lowest: 0, totals: new Float64Array(0) }
  return {
    add: (piece) => countSamples(counts, piece, rules),
    endPass: () => false,
    finish: () => computeStatisticsFromCounts(listCountedValues(counts.totals, counts.lowest, rules), options),
  }
}

function countSamples(counts: RangeCounts, piece: MeasuredPiece, rules: ValidValueRules): void {
  const absent = rules.nodata?.lowest ?? NaN
  const mask = rules.masked ? piece.mask : null
  const [lowest, highest] = rangeOf(piece, mask, absent)
  if (lowest > highest) return
  reach(counts, lowest, highest)
  const { data, stride, runs, weights } = piece
  const { totals } = counts
  for (let run = 0; run < runs.length; run += 2) {
    const end = runs[run]! + runs[run + 1]!
    for (let pixel = runs[run]!; pixel < end; pixel++) {
      const sample = data[pixel * stride]!
      const mass = weights === null ? 1 : weights[pixel]!
      if (mass !== 0 && isValid(sample, absent, mask, pixel)) totals[sample - counts.lowest]! += mass
    }
  }
}

const isValid = (sample: number, absent: number, mask: Uint8Array | null, pixel: number): boolean =>
  sample !== absent && (mask === null || mask[pixel] !== 0)

/** The smallest and the largest sample that counts; Infinity and -Infinity where there is none. */
function rangeOf(
  { data, stride, runs, weights }: MeasuredPiece,
  mask: Uint8Array | null,
  absent: number,
): [lowest: number, highest: number] {
  let [lowest, highest] = [Infinity, -Infinity]
  for (let run = 0; run < runs.length; run += 2) {
    const end = runs[run]! + runs[run + 1]!
    for (let pixel = runs[run]!; pixel < end; pixel++) {
      if (weights !== null && weights[pixel] === 0) continue
      const sample = data[pixel * stride]!
      if (!isValid(sample, absent, mask, pixel)) continue
      if (sample < lowest) lowest = sample
      if (sample > highest) highest = sample
    }
  }
  return [lowest, highest]
}

/** Widens the counters to reach from one sample to another. */
function reach(counts: RangeCounts, lowest: number, highest: number): void {
  const { length } = counts.totals
  const first = length === 0 ? lowest : Math.min(lowest, counts.lowest)
  const last = length === 0 ? highest : Math.max(highest, counts.lowest + length - 1)
  if (last - first + 1 === length) return
  const totals = new Float64Array(last - first + 1)
  totals.set(counts.totals, length === 0 ? 0 : counts.lowest - first)
  counts.lowest = first
  counts.totals = totals
}

/**
 * Creates an accumulator for one band of samples of a type.
 *
 * @param pixels the most that will be added to it.
 */
export function createAccumulator(
  type: SampleType,
  rules: ValidValueRules,
  options: AccumulatorOptions,
  pixels = Infinity,
): BandAccumulator {
  const { bits, format } = sampleTypeProperties[type]
  if (bits === 16 && pixels <= max_kept_pixels) return createSmallHistogram(rules, options)
  return bits === 8 || bits === 16
    ? createIntegerHistogram(bits, format === 2, rules, options)
    : createStreamingStatistics(rules, options)
}
