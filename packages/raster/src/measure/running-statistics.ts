import type { BandStatistics, SampleType } from '../types.ts'

/** Values kept for percentiles of types too wide for a histogram: exact up to here, an even sample beyond. */
const KEPT_VALUES = 1_048_576

/** Statistics of one band while its samples come in, rows by rows. */
export interface RunningStatistics {
  seen: number
  valid: number
  minimum: number
  maximum: number
  mean: number
  /** Sum of squared differences from the mean. */
  squares: number
  /** One count per value for types of 8 and 16 bits; everything follows from it exactly. */
  readonly histogram: Float64Array | null
  /** The value that the first count of the histogram stands for. */
  readonly histogramStart: number
  kept: Float64Array
  keptCount: number
  /** Every how manieth valid sample is kept. */
  keptStride: number
}

const HISTOGRAMS: Partial<Record<SampleType, readonly [length: number, start: number]>> = {
  uint8: [256, 0],
  int8: [256, -128],
  uint16: [65_536, 0],
  int16: [65_536, -32_768],
}

/** Begins the statistics of a band of this sample type. */
export function startStatistics(type: SampleType): RunningStatistics {
  const [length, start] = HISTOGRAMS[type] ?? [0, 0]
  return {
    seen: 0,
    valid: 0,
    minimum: Infinity,
    maximum: -Infinity,
    mean: 0,
    squares: 0,
    histogram: length > 0 ? new Float64Array(length) : null,
    histogramStart: start,
    kept: new Float64Array(length > 0 ? 0 : 1024),
    keptCount: 0,
    keptStride: 1,
  }
}

/** Joins two sets of moments (Chan, Golub and LeVeque 1983), which loses less than adding up squares. */
export function mergeMoments(state: RunningStatistics, valid: number, mean: number, squares: number): void {
  const total = state.valid + valid
  const difference = mean - state.mean
  state.squares += squares + (difference * difference * state.valid * valid) / total
  state.mean += (difference * valid) / total
  state.valid = total
}

export function keepValue(state: RunningStatistics, value: number): void {
  if (state.keptCount === KEPT_VALUES) {
    for (let i = 0; i < KEPT_VALUES / 2; i++) state.kept[i] = state.kept[i * 2]!
    state.keptCount = KEPT_VALUES / 2
    state.keptStride *= 2
  }
  if (state.keptCount === state.kept.length) {
    const larger = new Float64Array(Math.min(KEPT_VALUES, state.kept.length * 2))
    larger.set(state.kept)
    state.kept = larger
  }
  state.kept[state.keptCount++] = value
}

/**
 * The statistics of all samples added so far: population standard deviation, percentiles by linear interpolation
 * between the two nearest ranks. Without a valid sample the moments are NaN and the percentiles null.
 */
export function finishStatistics(state: RunningStatistics): BandStatistics {
  const valid_percent = state.seen > 0 ? (100 * state.valid) / state.seen : 0
  if (state.valid === 0)
    return { minimum: NaN, maximum: NaN, mean: NaN, stddev: NaN, valid_percent, p2: null, p98: null }
  if (state.histogram) return { ...summariseHistogram(state, state.histogram), valid_percent }
  const sorted = state.kept.slice(0, state.keptCount).sort()
  return {
    minimum: state.minimum,
    maximum: state.maximum,
    mean: state.mean,
    stddev: Math.sqrt(state.squares / state.valid),
    valid_percent,
    p2: interpolateRank(sorted.length, 0.02, (rank) => sorted[rank]!),
    p98: interpolateRank(sorted.length, 0.98, (rank) => sorted[rank]!),
  }
}

function summariseHistogram(state: RunningStatistics, histogram: Float64Array): Omit<BandStatistics, 'valid_percent'> {
  const first = state.histogramStart
  let sum = 0
  for (let i = 0; i < histogram.length; i++) sum += histogram[i]! * (first + i)
  const mean = sum / state.valid
  let squares = 0
  for (let i = 0; i < histogram.length; i++) squares += histogram[i]! * (first + i - mean) ** 2
  const valueAt = (rank: number): number => {
    let below = 0
    for (let i = 0; i < histogram.length; i++) {
      below += histogram[i]!
      if (below > rank) return first + i
    }
    return first + histogram.length - 1
  }
  return {
    minimum: valueAt(0),
    maximum: valueAt(state.valid - 1),
    mean,
    stddev: Math.sqrt(squares / state.valid),
    p2: interpolateRank(state.valid, 0.02, valueAt),
    p98: interpolateRank(state.valid, 0.98, valueAt),
  }
}

/** The quantile that numpy calls `linear`. */
function interpolateRank(count: number, quantile: number, valueAt: (rank: number) => number): number {
  const position = (count - 1) * quantile
  const lower = Math.floor(position)
  const low = valueAt(lower)
  return low + (valueAt(Math.min(lower + 1, count - 1)) - low) * (position - lower)
}
