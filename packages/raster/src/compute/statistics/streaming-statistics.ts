import { addToHistogramBins, finishHistogramBins, startHistogramBins } from './bins.ts'
import type { HistogramBins } from './bins.ts'
import { countClassValues, finishClassCounts } from './class-counts.ts'
import { addToValueSample, createValueSample } from './value-sample.ts'
import type { ValueSample } from './value-sample.ts'
import type { BandStatisticsValues, BandAccumulator, AccumulatorOptions } from './accumulator.ts'
import { addToStatisticalMoments, finishStatisticalMoments, startStatisticalMoments } from './moments.ts'
import type { StatisticalMoments } from './moments.ts'
import { sortable_key_head_cardinality } from './sortable-keys.ts'
import {
  addToQuantilePass,
  countSortableKeyHeads,
  finishQuantilePass,
  startQuantilePass,
  startQuantileSearch,
} from './quantile-search.ts'
import type { QuantileSearch, QuantileSearchPass } from './quantile-search.ts'
import { computePercentilePosition, listTargetRanks, computePercentileValues } from './quantiles.ts'
import type { QuantileRank } from './quantiles.ts'
import { forEachValidValue } from './value-chunk.ts'
import type { ValueConsumer, ValidValueRules } from './value-chunk.ts'

interface Work {
  readonly options: AccumulatorOptions
  readonly moments: StatisticalMoments
  readonly classes: Map<number, number> | null
  /** Values by the head of their order key; dropped after the first pass. */
  heads: Float64Array | null
  bins: HistogramBins | null
  binsDone: boolean
  kept: ValueSample
  places: QuantileRank[]
  search: QuantileSearch | null
  pass: QuantileSearchPass | null
}

/**
 * Measures one band of 32 or 64 bits. One pass is enough for moments, and for all else while the values fit in the
 * memory that the options allows; beyond it each further pass narrows the intervals of the percentiles until the
 * remaining values fit.
 */
export function createStreamingStatistics(rules: ValidValueRules, options: AccumulatorOptions): BandAccumulator {
  const { histogram } = options
  const work: Work = {
    options,
    moments: startStatisticalMoments(),
    classes: options.classes ? new Map() : null,
    heads: options.percentiles.length > 0 && !options.sampled ? new Float64Array(sortable_key_head_cardinality) : null,
    bins: histogram?.range ? startHistogramBins(histogram.bins, ...histogram.range) : null,
    binsDone: histogram === null,
    kept: createValueSample(
      options.percentiles.length > 0 || (histogram && !histogram.range) ? options.most_kept : 0,
      options.sampled,
    ),
    places: [],
    search: null,
    pass: null,
  }
  let take: ValueConsumer = (values, weights, count) => takeFirst(work, values, weights, count)
  let isFirst = true
  return {
    add: (piece) => forEachValidValue(piece, rules, take),
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
  addToStatisticalMoments(work.moments, values, weights, count)
  if (work.heads) countSortableKeyHeads(work.heads, values, weights, count)
  if (work.bins) addToHistogramBins(work.bins, values, weights, count)
  if (work.classes) countClassValues(work.classes, values, weights, count)
  addToValueSample(work.kept, values, weights, count)
}

function endFirst(work: Work): void {
  const { options, moments, heads } = work
  if (work.bins) work.binsDone = true
  else if (options.histogram) {
    const [lowest, highest] = moments.lowest <= moments.highest ? [moments.lowest, moments.highest] : [0, 1]
    work.bins = startHistogramBins(options.histogram.bins, lowest, highest)
  }
  if (moments.mass === 0 || options.percentiles.length === 0) return
  const mass = options.sampled ? work.kept.count : moments.mass
  work.places = options.percentiles.map((percentile) => computePercentilePosition(percentile, mass, options.weighted))
  work.search = startQuantileSearch(heads ?? headsOf(work.kept), listTargetRanks(work.places))
  work.heads = null
}

function headsOf({ values, weights, count }: ValueSample): Float64Array {
  const heads = new Float64Array(sortable_key_head_cardinality)
  countSortableKeyHeads(heads, values, weights, count)
  return heads
}

function takeLater(work: Work, values: Float64Array, weights: Float64Array | null, count: number): void {
  if (!work.binsDone) addToHistogramBins(work.bins!, values, weights, count)
  if (work.pass) addToValueSample(work.kept, values, weights, addToQuantilePass(work.pass, values, weights, count))
}

function endLater(work: Work): void {
  work.binsDone = true
  if (work.pass) finishQuantilePass(work.search!, work.pass)
  work.pass = null
}

/** Finishes in memory where all values that still matter are there; else prepares a pass and answers true. */
function goOn(work: Work): boolean {
  const { kept, search } = work
  if (work.moments.mass === 0) return false
  if (!kept.overflowed) {
    if (!work.binsDone) addToHistogramBins(work.bins!, kept.values, kept.weights, kept.count)
    work.binsDone = true
    while (search && search.open.length > 0) {
      const pass = startQuantilePass(search, kept.count, work.options.counters)
      kept.count = addToQuantilePass(pass, kept.values, kept.weights, kept.count)
      finishQuantilePass(search, pass)
    }
  }
  const isOpen = search !== null && search.open.length > 0
  if (isOpen) {
    work.pass = startQuantilePass(search, Infinity, work.options.counters)
    work.kept = createValueSample(work.options.most_kept)
  }
  return isOpen || !work.binsDone
}

function finishWork({ options, moments, places, search, bins, classes }: Work): BandStatisticsValues {
  return {
    ...finishStatisticalMoments(moments),
    percentiles: search ? computePercentileValues(places, search.found) : options.percentiles.map(() => NaN),
    histogram: bins && finishHistogramBins(bins),
    classes: classes && finishClassCounts(classes),
  }
}
