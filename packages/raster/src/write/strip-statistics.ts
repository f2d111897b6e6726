import { finishStatistics, keepValue, mergeMoments, startStatistics } from '../measure/running-statistics.ts'
import type { RunningStatistics } from '../measure/running-statistics.ts'
import { SAMPLE_TYPES } from '../sample-types.ts'
import type { BandStatistics } from '../types.ts'
import type { HalvingRules } from './halve.ts'
import { bytesOf } from './strip.ts'
import type { Strip } from './strip.ts'

/** Statistics of every band of an image while its strips come in. */
export interface StripStatistics {
  add(strip: Strip): void
  finish(): BandStatistics[]
}

/**
 * Begins the statistics of an image. A sample counts unless its pixel is masked, it equals nodata or it is not finite; of an
 * alpha band all count.
 */
export function startStripStatistics(bands: number, rules: HalvingRules): StripStatistics {
  const states = Array.from({ length: bands }, () => startStatistics(rules.sampleType))
  return SAMPLE_TYPES[rules.sampleType].bits <= 16 ? createCounter(states, rules) : createMeasure(states, rules)
}

/** Samples looked at before the next band: little enough to stay in the processor's cache. */
const PIECE_SAMPLES = 65_536
/** Pixels after which the 32-bit counts are added up in 64-bit ones. */
const MOST_COUNTED = 2 ** 31

/** Types of 8 and 16 bits: how often every value comes, from which everything follows exactly. */
function createCounter(states: readonly RunningStatistics[], rules: HalvingRules): StripStatistics {
  const values = 2 ** SAMPLE_TYPES[rules.sampleType].bits
  const counts = states.map(() => new Uint32Array(values))
  let counted = 0
  const flush = (): void => {
    for (const [band, state] of states.entries())
      addCounts(state, counts[band]!, band === rules.alphaBand ? null : rules.nodata)
    counted = 0
  }
  const add = (strip: Strip): void => {
    const pixels = strip.width * strip.rows
    if (counted + pixels > MOST_COUNTED) flush()
    counted += pixels
    const bytes = bytesOf(strip.data)
    const words = values === 256 ? null : new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
    for (const [from, to] of pieces(pixels, strip.bands))
      for (const [band, state] of states.entries()) {
        const mask = band === rules.alphaBand ? null : strip.mask
        if (words) countWords(words, from, to, strip.bands, band, mask, counts[band]!)
        else countBytes(bytes, from, to, strip.bands, band, mask, counts[band]!)
        state.seen += to - from
      }
  }
  return {
    add,
    finish: () => {
      flush()
      return states.map(finishStatistics)
    },
  }
}

function* pieces(pixels: number, bands: number): Generator<[from: number, to: number]> {
  const step = Math.max(1, Math.floor(PIECE_SAMPLES / bands))
  for (let from = 0; from < pixels; from += step) yield [from, Math.min(pixels, from + step)]
}

// Written twice, so that each loop sees one kind of array only: a loop that sees several is many times slower.
function countBytes(
  samples: Uint8Array,
  from: number,
  to: number,
  bands: number,
  band: number,
  mask: Uint8Array | null,
  counts: Uint32Array,
): void {
  for (let pixel = from, at = from * bands + band; pixel < to; pixel++, at += bands)
    if (mask === null || mask[pixel] !== 0) counts[samples[at]!]!++
}

function countWords(
  samples: Uint16Array,
  from: number,
  to: number,
  bands: number,
  band: number,
  mask: Uint8Array | null,
  counts: Uint32Array,
): void {
  for (let pixel = from, at = from * bands + band; pixel < to; pixel++, at += bands)
    if (mask === null || mask[pixel] !== 0) counts[samples[at]!]!++
}

/** Moves the counts of words, as they lie in memory, into the histogram of the values that they stand for. */
function addCounts(state: RunningStatistics, counts: Uint32Array, nodata: number | null): void {
  const { histogram, histogramStart } = state
  // Negative numbers lie in the upper half of the words.
  const turn = histogramStart < 0 ? counts.length / 2 : 0
  const missing = nodata === null ? -1 : nodata - histogramStart
  for (let word = 0; word < counts.length; word++) {
    const count = counts[word]!
    const place = word ^ turn
    if (count === 0 || place === missing) continue
    histogram![place]! += count
    state.valid += count
  }
  counts.fill(0)
}

/** Wider types: moments piece by piece, in 64-bit numbers, which hold all their values. */
function createMeasure(states: readonly RunningStatistics[], rules: HalvingRules): StripStatistics {
  let scratch = new Float64Array(PIECE_SAMPLES)
  const add = (strip: Strip): void => {
    const { bands, mask } = strip
    if (scratch.length < bands) scratch = new Float64Array(bands)
    for (const [from, to] of pieces(strip.width * strip.rows, bands)) {
      scratch.set(strip.data.subarray(from * bands, to * bands))
      const here = mask?.subarray(from, to) ?? null
      for (const [band, state] of states.entries()) {
        const alpha = band === rules.alphaBand
        measure(state, scratch, to - from, bands, band, alpha ? null : here, alpha ? null : rules.nodata)
      }
    }
  }
  return { add, finish: () => states.map(finishStatistics) }
}

function measure(
  state: RunningStatistics,
  samples: Float64Array,
  pixels: number,
  bands: number,
  band: number,
  mask: Uint8Array | null,
  nodata: number | null,
): void {
  state.seen += pixels
  let [valid, sum, lowest, highest] = [0, 0, state.minimum, state.maximum]
  let wait = (state.keptStride - (state.valid % state.keptStride)) % state.keptStride
  for (let pixel = 0, at = band; pixel < pixels; pixel++, at += bands) {
    const value = samples[at]!
    // Only a finite number less itself is zero.
    if ((mask !== null && mask[pixel] === 0) || value === nodata || value - value !== 0) continue
    if (wait === 0) {
      keepValue(state, value)
      wait = state.keptStride
    }
    wait--
    valid++
    sum += value
    if (value < lowest) lowest = value
    if (value > highest) highest = value
  }
  if (valid === 0) return
  const mean = sum / valid
  let squares = 0
  for (let pixel = 0, at = band; pixel < pixels; pixel++, at += bands) {
    const value = samples[at]!
    if ((mask !== null && mask[pixel] === 0) || value === nodata || value - value !== 0) continue
    squares += (value - mean) * (value - mean)
  }
  state.minimum = lowest
  state.maximum = highest
  mergeMoments(state, valid, mean, squares)
}
