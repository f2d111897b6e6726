import { addToBins, finishBins, startBins } from './bins.ts'
import type { Bins } from './bins.ts'
import { addToClasses, finishClasses } from './class-counts.ts'
import { addToSample, startSample } from './value-sample.ts'
import type { ValueSample } from './value-sample.ts'
import type { BandNumbers, BandAccumulator, AccumulatorOptions } from './accumulator.ts'
import { addToMoments, finishMoments, startMoments } from './moments.ts'
import type { Moments } from './moments.ts'
import { head_count } from './sortable-keys.ts'
import { addToPass, countHeads, endPass, startPass, startSearch } from './quantile-search.ts'
import type { QuantileSearch, SearchPass } from './quantile-search.ts'
import { placeOfPercentile, targetsOf, valuesAt } from './quantiles.ts'
import type { QuantilePlace } from './quantiles.ts'
import { takePiece } from './value-chunk.ts'
import type { TakeValues, ValueRules } from './value-chunk.ts'

interface Work {
  readonly options: AccumulatorOptions
  readonly moments: Moments
  readonly classes: Map<number, number> | null
  /** Values by the head of their order key; dropped after the first pass. */
  heads: Float64Array | null
  bins: Bins | null
  binsDone: boolean
  kept: ValueSample
  places: QuantilePlace[]
  search: QuantileSearch | null
  pass: SearchPass | null
}

/**
 * Measures one band of 32 or 64 bits. One pass is enough for moments, and for all else while the values fit in the
 * memory that the options allows; beyond it each further pass narrows the intervals of the percentiles until the
 * remaining values fit.
 */
export function createStreamingStatistics(rules: ValueRules, options: AccumulatorOptions): BandAccumulator {
  const { histogram } = options
  const work: Work = {
    options,
    moments: startMoments(),
    classes: options.classes ? new Map() : null,
    heads: options.percentiles.length > 0 && !options.sampled ? new Float64Array(head_count) : null,
    bins: histogram?.range ? startBins(histogram.bins, ...histogram.range) : null,
    binsDone: histogram === null,
    kept: startSample(
      options.percentiles.length > 0 || (histogram && !histogram.range) ? options.most_kept : 0,
      options.sampled,
    ),
    places: [],
    search: null,
    pass: null,
  }
  let take: TakeValues = (values, weights, count) => takeFirst(work, values, weights, count)
  let isFirst = true
  return {
    add: (piece) => takePiece(piece, rules, take),
    endPass() {
      if (isFirst) endFirst(work)
      else endLater(work)
      isFirst = false
      take = (values, weights, count) => takeLater(work, values, weights, count)
      return goOn(work)
    },
    finish: () => finishWork(work),
  }
}

function takeFirst(work: Work, values: Float64Array, weights: Float64Array | null, count: number): void {
  addToMoments(work.moments, values, weights, count)
  if (work.heads) countHeads(work.heads, values, weights, count)
  if (work.bins) addToBins(work.bins, values, weights, count)
  if (work.classes) addToClasses(work.classes, values, weights, count)
  addToSample(work.kept, values, weights, count)
}

function endFirst(work: Work): void {
  const { options, moments, heads } = work
  if (work.bins) work.binsDone = true
  else if (options.histogram) {
    const [lowest, highest] = moments.lowest <= moments.highest ? [moments.lowest, moments.highest] : [0, 1]
    work.bins = startBins(options.histogram.bins, lowest, highest)
  }
  if (moments.mass === 0 || options.percentiles.length === 0) return
  const mass = options.sampled ? work.kept.count : moments.mass
  work.places = options.percentiles.map((percentile) => placeOfPercentile(percentile, mass, options.weighted))
  work.search = startSearch(heads ?? headsOf(work.kept), targetsOf(work.places))
  work.heads = null
}

function headsOf({ values, weights, count }: ValueSample): Float64Array {
  const heads = new Float64Array(head_count)
  countHeads(heads, values, weights, count)
  return heads
}

function takeLater(work: Work, values: Float64Array, weights: Float64Array | null, count: number): void {
  if (!work.binsDone) addToBins(work.bins!, values, weights, count)
  if (work.pass) addToSample(work.kept, values, weights, addToPass(work.pass, values, weights, count))
}

function endLater(work: Work): void {
  work.binsDone = true
  if (work.pass) endPass(work.search!, work.pass)
  work.pass = null
}

/** Finishes in memory where all values that still matter are there; else prepares a pass and answers true. */
function goOn(work: Work): boolean {
  const { kept, search } = work
  if (work.moments.mass === 0) return false
  if (!kept.overflowed) {
    if (!work.binsDone) addToBins(work.bins!, kept.values, kept.weights, kept.count)
    work.binsDone = true
    while (search && search.open.length > 0) {
      const pass = startPass(search, kept.count, work.options.counters)
      kept.count = addToPass(pass, kept.values, kept.weights, kept.count)
      endPass(search, pass)
    }
  }
  const isOpen = search !== null && search.open.length > 0
  if (isOpen) {
    work.pass = startPass(search, Infinity, work.options.counters)
    work.kept = startSample(work.options.most_kept)
  }
  return isOpen || !work.binsDone
}

function finishWork({ options, moments, places, search, bins, classes }: Work): BandNumbers {
  return {
    ...finishMoments(moments),
    percentiles: search ? valuesAt(places, search.found) : options.percentiles.map(() => NaN),
    histogram: bins && finishBins(bins),
    classes: classes && finishClasses(classes),
  }
}
