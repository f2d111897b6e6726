import { placeOfPercentile, targetsOf, valuesAt } from '../../compute/statistics/quantiles.ts'
import type { BandStatistics } from '../../types.ts'
import type { Strip } from './strip.ts'

/** The statistics of one band: some pixels of interleaved samples at a time. */
export interface BandMeter {
  /** Adds the pixels `from` to `to`; a pixel counts unless its mask byte is 0. */
  add(strip: Strip, from: number, to: number, mask: Uint8Array | null): void
  finish(seen: number): BandStatistics
}

/** What statistics are of a band without a valid sample. */
export const NO_STATISTICS = { minimum: NaN, maximum: NaN, mean: NaN, stddev: NaN, p2: null, p98: null } as const

/**
 * The second and the ninety-eighth percentile, as numpy's `linear` finds them.
 *
 * @param valueAt the value at each of some ascending places in the order of all values, counted from 1.
 */
export function percentilesOf(
  count: number,
  valueAt: (places: readonly number[]) => readonly number[],
): Pick<BandStatistics, 'p2' | 'p98'> {
  const wanted = [2, 98].map((percentile) => placeOfPercentile(percentile, count, false))
  const targets = targetsOf(wanted)
  const values = valueAt(targets)
  const [p2, p98] = valuesAt(wanted, new Map(targets.map((target, index) => [target, values[index]!])))
  return { p2: p2!, p98: p98! }
}
