import { sampleTypes } from '../../sample-types.ts'
import type { SampleType } from '../../types.ts'
import type { BandAccumulator, AccumulatorOptions } from './accumulator.ts'
import type { ValueRules } from './value-chunk.ts'
import { createSmallHistogram, max_kept_pixels } from './small-histogram.ts'
import { createStreamingStatistics } from './streaming-statistics.ts'
import { createIntegerHistogram } from './integer-histogram.ts'

/**
 * Creates an accumulator for one band of samples of a type.
 *
 * @param pixels the most that will be added to it.
 */
export function createAccumulator(
  type: SampleType,
  rules: ValueRules,
  options: AccumulatorOptions,
  pixels = Infinity,
): BandAccumulator {
  const { bits, format } = sampleTypes[type]
  if (bits === 16 && pixels <= max_kept_pixels) return createSmallHistogram(rules, options)
  return bits === 8 || bits === 16
    ? createIntegerHistogram(bits, format === 2, rules, options)
    : createStreamingStatistics(rules, options)
}
