import { NOTHING } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import type { BandStatistics, SampleType, Samples } from '../../types.ts'
import { NO_STATISTICS, percentilesOf } from './band-statistics.ts'
import type { BandMeter } from './band-statistics.ts'
import { selectRanks } from './quickselect.ts'

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
export function measureValues(_type: SampleType, band: number, nodata: NodataRange | null): BandMeter {
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
      const valid = gatherValid(samples, to - from, bands, band, mask?.subarray(from, to) ?? null, nodata ?? NOTHING)
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
  nodata: NodataRange,
): number {
  if (bands === 1 && mask === null && allCount(samples, pixels, nodata)) return pixels
  let count = 0
  for (let pixel = 0, at = band; pixel < pixels; pixel++, at += bands) {
    const value = samples[at]!
    if (mask !== null && mask[pixel] === 0) continue
    // Only a finite number less itself is zero.
    if ((value >= nodata.lowest && value <= nodata.highest) || value - value !== 0) continue
    samples[count++] = value
  }
  return count
}

/** True where no sample is nodata and all are finite: then none has to be moved. */
function allCount(samples: Float64Array, count: number, { lowest, highest }: NodataRange): boolean {
  let noughts = 0
  let missing = false
  for (let i = 0; i < count; i++) {
    const value = samples[i]!
    noughts += value - value
    missing ||= value >= lowest && value <= highest
  }
  return noughts === 0 && !missing
}

/** Joins the moments of some values (Chan, Golub and LeVeque 1983), which loses less than adding up squares. */
function addMoments(state: Measured, values: Float64Array, count: number): void {
  let sum = 0
  let { minimum, maximum } = state
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    sum += value
    if (value < minimum) minimum = value
    if (value > maximum) maximum = value
  }
  const mean = sum / count
  // Two sums, so that one addition need not wait for the other.
  let even = 0
  let odd = 0
  for (let i = 1; i < count; i += 2) {
    const a = values[i - 1]! - mean
    const b = values[i]! - mean
    even += a * a
    odd += b * b
  }
  const last = count % 2 === 1 ? values[count - 1]! - mean : 0
  const squares = even + odd + last * last
  const total = state.valid + count
  const difference = mean - state.mean
  state.squares += squares + (difference * difference * state.valid * count) / total
  state.mean += (difference * count) / total
  state.valid = total
  state.minimum = minimum
  state.maximum = maximum
}

function keepSome(state: Measured, values: Float64Array, count: number): void {
  let at = (state.stride - (state.valid % state.stride)) % state.stride
  while (at < count) {
    if (state.keptCount === KEPT_VALUES) thinOut(state)
    const wanted = Math.ceil((count - at) / state.stride)
    const taken = Math.min(wanted, KEPT_VALUES - state.keptCount)
    makeRoom(state, taken)
    if (state.stride === 1) state.kept.set(values.subarray(at, at + taken), state.keptCount)
    else for (let i = 0; i < taken; i++) state.kept[state.keptCount + i] = values[at + i * state.stride]!
    state.keptCount += taken
    at += taken * state.stride
  }
}

/** Every second value goes. */
function thinOut(state: Measured): void {
  for (let i = 0; i < KEPT_VALUES / 2; i++) state.kept[i] = state.kept[i * 2]!
  state.keptCount = KEPT_VALUES / 2
  state.stride *= 2
}

function makeRoom(state: Measured, more: number): void {
  if (state.keptCount + more <= state.kept.length) return
  const larger = new Float64Array(Math.min(KEPT_VALUES, Math.max(state.kept.length * 2, state.keptCount + more)))
  larger.set(state.kept)
  state.kept = larger
}

function summarise(state: Measured, seen: number): BandStatistics {
  const { valid, minimum, maximum, mean, squares, kept, keptCount } = state
  const valid_percent = seen > 0 ? (100 * valid) / seen : 0
  if (valid === 0) return { ...NO_STATISTICS, valid_percent }
  const percentiles = percentilesOf(keptCount, (targets) => selectRanks(kept.subarray(0, keptCount), targets))
  return { minimum, maximum, mean, stddev: Math.sqrt(squares / valid), valid_percent, ...percentiles }
}
