import { SAMPLE_TYPES } from '../../sample-types.ts'
import type { SampleType } from '../../types.ts'
import type { BandAccumulator, AccumulatorOptions } from './accumulator.ts'
import type { ValueRules } from './value-chunk.ts'
import { createSmallHistogram, MAX_KEPT_PIXELS } from './small-histogram.ts'
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
  const { bits, format } = SAMPLE_TYPES[type]
  if (bits === 16 && pixels <= MAX_KEPT_PIXELS) return createSmallHistogram(rules, options)
  return bits === 8 || bits === 16
    ? createIntegerHistogram(bits, format === 2, rules, options)
    : createStreamingStatistics(rules, options)
}
