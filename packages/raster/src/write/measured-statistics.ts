import type { BandStatistics, SampleType, Samples } from '../types.ts'
import { NO_STATISTICS, percentilesOf } from './band-statistics.ts'
import type { BandMeter } from './band-statistics.ts'
import { selectRanks } from './select-ranks.ts'

/** Values kept for percentiles: exact up to here, an even sample beyond. */
const KEPT_VALUES = 1_048_576

/** Moments of the values so far, and every `stride`th of them. */
interface Measured {
  valid: number
  minimum: number
  maximum: number
  mean: number
  /** Sum of squared differences from the mean. */
  squares: number
  kept: Float64Array
  keptCount: number
  stride: number
}

/** Types of 32 and 64 bits: moments piece by piece in 64-bit numbers, which hold all values of these types. */
export function measureValues(_type: SampleType, band: number, nodata: number | null): BandMeter {
  const state: Measured = {
    valid: 0,
    minimum: Infinity,
    maximum: -Infinity,
    mean: 0,
    squares: 0,
    kept: new Float64Array(1024),
    keptCount: 0,
    stride: 1,
  }
  let samples = new Float64Array(0)
  return {
    add: ({ data, bands }, from, to, mask) => {
      const count = (to - from) * bands
      if (samples.length < count) samples = new Float64Array(count)
      samples.set((data as Samples).subarray(from * bands, to * bands))
      const valid = gatherValid(samples, to - from, bands, band, mask?.subarray(from, to) ?? null, nodata ?? NaN)
      if (valid === 0) return
      keepSome(state, samples, valid)
      addMoments(state, samples, valid)
    },
    finish: (seen) => summarise(state, seen),
  }
}

/** Moves the valid samples of a band to the front, which may overwrite other bands, and answers how many there are. */
function gatherValid(
  samples: Float64Array,
  pixels: number,
  bands: number,
  band: number,
  mask: Uint8Array | null,
  nodata: number,
): number {
  let count = 0
  for (let pixel = 0, at = band; pixel < pixels; pixel++, at += bands) {
    const value = samples[at]!
    if (mask !== null && mask[pixel] === 0) continue
    // Only a finite number less itself is zero.
    if (value === nodata || value - value !== 0) continue
    samples[count++] = value
  }
  return count
}

/** Joins the moments of some values (Chan, Golub and LeVeque 1983), which loses less than adding up squares. */
function addMoments(state: Measured, values: Float64Array, count: number): void {
  let [sum, minimum, maximum] = [0, state.minimum, state.maximum]
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    sum += value
    minimum = value < minimum ? value : minimum
    maximum = value > maximum ? value : maximum
  }
  const mean = sum / count
  let squares = 0
  for (let i = 0; i < count; i++) squares += (values[i]! - mean) * (values[i]! - mean)
  const total = state.valid + count
  const difference = mean - state.mean
  state.squares += squares + (difference * difference * state.valid * count) / total
  state.mean += (difference * count) / total
  state.valid = total
  state.minimum = minimum
  state.maximum = maximum
}

function keepSome(state: Measured, values: Float64Array, count: number): void {
  const first = (state.stride - (state.valid % state.stride)) % state.stride
  for (let at = first; at < count; at += state.stride) {
    if (state.keptCount === KEPT_VALUES) {
      for (let i = 0; i < KEPT_VALUES / 2; i++) state.kept[i] = state.kept[i * 2]!
      state.keptCount = KEPT_VALUES / 2
      state.stride *= 2
    }
    if (state.keptCount === state.kept.length) {
      const larger = new Float64Array(Math.min(KEPT_VALUES, state.kept.length * 2))
      larger.set(state.kept)
      state.kept = larger
    }
    state.kept[state.keptCount++] = values[at]!
  }
}

function summarise(state: Measured, seen: number): BandStatistics {
  const { valid, minimum, maximum, mean, squares, kept, keptCount } = state
  const valid_percent = seen > 0 ? (100 * valid) / seen : 0
  if (valid === 0) return { ...NO_STATISTICS, valid_percent }
  const percentiles = percentilesOf(keptCount, (targets) => selectRanks(kept.subarray(0, keptCount), targets))
  return { minimum, maximum, mean, stddev: Math.sqrt(squares / valid), valid_percent, ...percentiles }
}
