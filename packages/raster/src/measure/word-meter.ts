import { addToBins, finishBins, startBins } from './bins.ts'
import { countPiece, settleCounts, startCounts } from './count-words.ts'
import type { BandMeter, BandNumbers, MeterWish } from './meter.ts'
import { addToMoments, finishMoments, startMoments } from './moments.ts'
import { locateTargets, placeOfPercentile, targetsOf, valuesAt } from './quantiles.ts'
import type { ValueRules } from './value-chunk.ts'

/** Measures one band of 8 or 16 bits: how often each value comes says all, exactly, in one pass. */
export function createWordMeter(bits: 8 | 16, signed: boolean, rules: ValueRules, wish: MeterWish): BandMeter {
  const counts = startCounts(bits)
  return {
    add: (piece, place) => countPiece(counts, piece, place, rules.masked ? piece.mask : null),
    endPass: () => false,
    finish: () => summarise(listValues(settleCounts(counts), signed, rules), wish),
  }
}

interface ValueList {
  /** Different values that come, ascending. */
  readonly values: Float64Array
  /** How often each of them comes. */
  readonly masses: Float64Array
}

function listValues(totals: Float64Array, signed: boolean, { nodata, scale, offset }: ValueRules): ValueList {
  const half = signed ? totals.length / 2 : 0
  const places = Array.from(totals.keys(), (at) => at - half).filter(
    (sample) => sample !== nodata && totals[wrap(sample, totals.length)]! > 0,
  )
  // A negative scale turns the order around.
  if (scale < 0) places.reverse()
  return {
    values: Float64Array.from(places, (sample) => sample * scale + offset),
    masses: Float64Array.from(places, (sample) => totals[wrap(sample, totals.length)]!),
  }
}

/** Negative samples lie in the upper half of the unsigned numbers. */
function wrap(sample: number, length: number): number {
  return sample < 0 ? sample + length : sample
}

function summarise({ values, masses }: ValueList, wish: MeterWish): BandNumbers {
  const moments = startMoments()
  if (values.length > 0) addToMoments(moments, values, masses, values.length)
  return {
    ...finishMoments(moments),
    percentiles:
      values.length > 0 ? percentilesOf(values, masses, moments.mass, wish) : wish.percentiles.map(() => NaN),
    histogram: wish.histogram && histogramOf(values, masses, wish.histogram),
    classes: wish.classes ? [...values].map((value, at) => ({ value, count: masses[at]! })) : null,
  }
}

function percentilesOf(values: Float64Array, masses: Float64Array, mass: number, wish: MeterWish): number[] {
  const places = wish.percentiles.map((percentile) => placeOfPercentile(percentile, mass, wish.weighted))
  const found = new Map<number, number>()
  for (const { bin, targets } of locateTargets(masses, 0, masses.length, 0, targetsOf(places))) {
    for (const target of targets) found.set(target, values[bin]!)
  }
  return valuesAt(places, found)
}

function histogramOf(
  values: Float64Array,
  masses: Float64Array,
  { bins, range }: NonNullable<MeterWish['histogram']>,
): BandNumbers['histogram'] {
  const [lowest, highest] = range ?? (values.length > 0 ? [values[0]!, values.at(-1)!] : [0, 1])
  const made = startBins(bins, lowest, highest)
  addToBins(made, values, masses, values.length)
  return finishBins(made)
}
