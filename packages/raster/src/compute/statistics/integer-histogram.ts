import { addToHistogramBins, finishHistogramBins, startHistogramBins } from './bins.ts'
import { countPieceSamples, flushIntegerCounts, startIntegerCounts } from './count-integers.ts'
import type { BandAccumulator, BandStatisticsValues, AccumulatorOptions } from './accumulator.ts'
import { addToStatisticalMoments, finishStatisticalMoments, startStatisticalMoments } from './moments.ts'
import { locateRanksInBins, computePercentilePosition, listTargetRanks, computePercentileValues } from './quantiles.ts'
import type { ValidValueRules } from './value-chunk.ts'

/** Measures one band of 8 or 16 bits: how often each value comes says all, exactly, in one pass. */
export function createIntegerHistogram(
  bits: 8 | 16,
  signed: boolean,
  rules: ValidValueRules,
  options: AccumulatorOptions,
): BandAccumulator {
  const counts = startIntegerCounts(bits)
  return {
    add: (piece) => countPieceSamples(counts, piece, rules.masked ? piece.mask : null),
    endPass: () => false,
    finish: () => computeStatisticsFromCounts(listValues(flushIntegerCounts(counts), signed, rules), options),
  }
}

export interface CountedValues {
  /** Different values that come, ascending. */
  readonly values: Float64Array
  /** Count of each value. */
  readonly masses: Float64Array
}

/** @param totals by the sample as an unsigned number; not used afterwards. */
function listValues(totals: Float64Array, signed: boolean, rules: ValidValueRules): CountedValues {
  const half = signed ? totals.length / 2 : 0
  const ordered = signed ? orderSigned(totals, half) : totals
  const absent = (rules.nodata?.lowest ?? NaN) + half
  if (absent >= 0 && absent < ordered.length) ordered[absent] = 0
  return listCountedValues(ordered, -half, rules)
}

/** Negative samples lie in the upper half of the unsigned numbers. */
function orderSigned(totals: Float64Array, half: number): Float64Array {
  const ordered = new Float64Array(totals.length)
  ordered.set(totals.subarray(half))
  ordered.set(totals.subarray(0, half), half)
  return ordered
}

/** The values that come, of samples from `lowest` on, with how often each does. */
export function listCountedValues(
  totals: Float64Array,
  lowest: number,
  { scale, offset }: ValidValueRules,
): CountedValues {
  let different = 0
  for (let at = 0; at < totals.length; at++) if (totals[at] !== 0) different++
  const values = new Float64Array(different)
  const masses = new Float64Array(different)
  let count = 0
  for (let at = 0; at < totals.length; at++) {
    // A negative scale turns the order around.
    const place = scale < 0 ? totals.length - 1 - at : at
    if (totals[place] === 0) continue
    values[count] = (lowest + place) * scale + offset
    masses[count++] = totals[place]!
  }
  return { values, masses }
}

/** Computes the statistics of a band from the frequency of each value. */
export function computeStatisticsFromCounts(
  { values, masses }: CountedValues,
  options: AccumulatorOptions,
): BandStatisticsValues {
  const moments = startStatisticalMoments()
  if (values.length > 0) addToStatisticalMoments(moments, values, masses, values.length)
  return {
    ...finishStatisticalMoments(moments),
    percentiles:
      values.length > 0 ? percentilesOf(values, masses, moments.mass, options) : options.percentiles.map(() => NaN),
    histogram: options.histogram && histogramOf(values, masses, options.histogram),
    classes: options.classes ? [...values].map((value, at) => ({ value, count: masses[at]! })) : null,
  }
}

function percentilesOf(
  values: Float64Array,
  masses: Float64Array,
  mass: number,
  options: AccumulatorOptions,
): number[] {
  const places = options.percentiles.map((percentile) => computePercentilePosition(percentile, mass, options.weighted))
  const found = new Map<number, number>()
  for (const { bin, targets } of locateRanksInBins(masses, 0, masses.length, 0, listTargetRanks(places))) {
    for (const target of targets) found.set(target, values[bin]!)
  }
  return computePercentileValues(places, found)
}

function histogramOf(
  values: Float64Array,
  masses: Float64Array,
  { bins, range }: NonNullable<AccumulatorOptions['histogram']>,
): BandStatisticsValues['histogram'] {
  const [lowest, highest] = range ?? (values.length > 0 ? [values[0]!, values.at(-1)!] : [0, 1])
  const made = startHistogramBins(bins, lowest, highest)
  addToHistogramBins(made, values, masses, values.length)
  return finishHistogramBins(made)
}
