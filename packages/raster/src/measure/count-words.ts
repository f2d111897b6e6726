import type { Samples } from '../types.ts'
import type { Piece } from './meter.ts'

/** Pixels after which the 32-bit counts are added up in 64-bit ones. */
const MOST_COUNTED = 2 ** 31
const WIDENED = 8192
const widened = new Uint16Array(WIDENED)

/** How often every sample of 8 or 16 bits comes, the sample seen as an unsigned number. */
export interface WordCounts {
  readonly totals: Float64Array
  readonly recent: Uint32Array
  counted: number
}

export function startCounts(bits: 8 | 16): WordCounts {
  return { totals: new Float64Array(2 ** bits), recent: new Uint32Array(2 ** bits), counted: 0 }
}

/** Counts one band of a piece. @param mask one byte a pixel, or null where every pixel counts. */
export function countPiece(
  counts: WordCounts,
  { data, size, runs, weights }: Piece,
  place: number,
  mask: Uint8Array | null,
): void {
  const words = wordsOf(data)
  for (let run = 0; run < runs.length; run += 2) {
    const end = runs[run]! + runs[run + 1]!
    // Bytes are widened a little at a time, so that every loop below sees one kind of array only: one that sees several is
    // many times slower.
    const step = words ? runs[run + 1]! : WIDENED
    for (let pixel = runs[run]!; pixel < end; pixel += step) {
      const length = Math.min(step, end - pixel)
      const at = place * size + pixel
      if (!words) widened.set(unsignedBytes(data, at, length))
      const samples = words ?? widened
      const from = words ? at : 0
      if (weights) weigh(counts.totals, samples, from, length, weights, pixel, mask)
      else count(counts, samples, from, length, mask, pixel)
    }
  }
}

/** Adds up what was counted lately. */
export function settleCounts({ totals, recent }: WordCounts): Float64Array {
  for (let word = 0; word < recent.length; word++) totals[word]! += recent[word]!
  recent.fill(0)
  return totals
}

function count(
  counts: WordCounts,
  samples: Uint16Array,
  from: number,
  length: number,
  mask: Uint8Array | null,
  pixel: number,
): void {
  counts.counted += length
  if (counts.counted > MOST_COUNTED) {
    settleCounts(counts)
    counts.counted = length
  }
  if (mask) countMasked(counts.recent, samples, from, length, mask, pixel)
  else countAll(counts.recent, samples, from, length)
}

function countAll(counts: Uint32Array, samples: Uint16Array, from: number, length: number): void {
  for (let at = from; at < from + length; at++) counts[samples[at]!]!++
}

function countMasked(
  counts: Uint32Array,
  samples: Uint16Array,
  from: number,
  length: number,
  mask: Uint8Array,
  pixel: number,
): void {
  for (let i = 0; i < length; i++) counts[samples[from + i]!]! += mask[pixel + i]! & 1
}

function weigh(
  totals: Float64Array,
  samples: Uint16Array,
  from: number,
  length: number,
  weights: Float64Array,
  pixel: number,
  mask: Uint8Array | null,
): void {
  for (let i = 0; i < length; i++) {
    if (mask === null || mask[pixel + i] !== 0) totals[samples[from + i]!]! += weights[pixel + i]!
  }
}

function wordsOf(data: Samples): Uint16Array | null {
  if (data.BYTES_PER_ELEMENT !== 2) return null
  return data instanceof Uint16Array ? data : new Uint16Array(data.buffer, data.byteOffset, data.length)
}

function unsignedBytes(data: Samples, at: number, length: number): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset + at, length)
}
