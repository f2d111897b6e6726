import { SAMPLE_TYPES } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import type { BandStatistics, SampleType } from '../../types.ts'
import { NO_STATISTICS, percentilesOf } from './band-statistics.ts'
import type { BandMeter } from './band-statistics.ts'
import { bytesOf } from './strip.ts'

/** Pixels after which the 32-bit counts are added up in 64-bit ones. */
const MOST_COUNTED = 2 ** 31

/** Types of 8 and 16 bits: how often every value comes, from which everything follows exactly. */
export function countValues(type: SampleType, band: number, nodata: NodataRange | null): BandMeter {
  const { bits, lowest } = SAMPLE_TYPES[type]
  const counts = new Uint32Array(2 ** bits)
  const totals = new Float64Array(counts.length)
  let counted = 0
  const flush = (): void => {
    // Negative numbers lie in the upper half of the words.
    const turn = lowest < 0 ? counts.length / 2 : 0
    for (let word = 0; word < counts.length; word++) totals[word ^ turn]! += counts[word]!
    counts.fill(0)
    counted = 0
  }
  return {
    add: ({ data, bands }, from, to, mask) => {
      if (counted + to - from > MOST_COUNTED) flush()
      counted += to - from
      const bytes = bytesOf(data)
      if (bits === 8) countBytes(bytes, from, to, bands, band, mask, counts)
      else {
        const words = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
        countWords(words, from, to, bands, band, mask, counts)
      }
    },
    finish: (seen) => {
      flush()
      if (nodata !== null) totals[nodata.lowest - lowest] = 0
      return summarise(totals, lowest, seen)
    },
  }
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

/** From how often each value comes; the first count is that of `lowest`. */
function summarise(totals: Float64Array, lowest: number, seen: number): BandStatistics {
  let [valid, sum] = [0, 0]
  for (let place = 0; place < totals.length; place++) {
    valid += totals[place]!
    sum += totals[place]! * (lowest + place)
  }
  const valid_percent = seen > 0 ? (100 * valid) / seen : 0
  if (valid === 0) return { ...NO_STATISTICS, valid_percent }
  const mean = sum / valid
  let squares = 0
  for (let place = 0; place < totals.length; place++) squares += totals[place]! * (lowest + place - mean) ** 2
  return {
    minimum: lowest + totals.findIndex((count) => count > 0),
    maximum: lowest + totals.findLastIndex((count) => count > 0),
    mean,
    stddev: Math.sqrt(squares / valid),
    valid_percent,
    ...percentilesOf(valid, (targets) => valuesAtRanks(totals, lowest, targets)),
  }
}

function valuesAtRanks(totals: Float64Array, lowest: number, targets: readonly number[]): number[] {
  const values: number[] = []
  let counted = 0
  for (let place = 0; place < totals.length && values.length < targets.length; place++) {
    counted += totals[place]!
    while (values.length < targets.length && targets[values.length]! <= counted) values.push(lowest + place)
  }
  return values
}
