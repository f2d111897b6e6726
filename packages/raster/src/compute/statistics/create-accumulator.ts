import { SAMPLE_TYPES } from '../../sample-types.ts'
import type { SampleType } from '../../types.ts'
import type { BandMeter, MeterWish } from './accumulator.ts'
import type { ValueRules } from './value-chunk.ts'
import { createSmallMeter, MOST_KEPT_PIXELS } from './small-histogram.ts'
import { createValueMeter } from './streaming-statistics.ts'
import { createWordMeter } from './integer-histogram.ts'

/**
 * A meter for one band of samples of that type.
 *
 * @param pixels the most that it will be given.
 */
export function createMeter(type: SampleType, rules: ValueRules, wish: MeterWish, pixels = Infinity): BandMeter {
  const { bits, format } = SAMPLE_TYPES[type]
  if (bits === 16 && pixels <= MOST_KEPT_PIXELS) return createSmallMeter(rules, wish)
  return bits === 8 || bits === 16 ? createWordMeter(bits, format === 2, rules, wish) : createValueMeter(rules, wish)
}
