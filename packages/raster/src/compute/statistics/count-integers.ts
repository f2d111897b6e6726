import { copyLoopPerSampleType } from '../../sample-loops.ts'
import { getSampleTypeOfArray } from '../../sample-types.ts'
import type { SampleArray } from '../../types.ts'
import type { MeasuredPiece } from './accumulator.ts'

/** Pixels after which the 32-bit counts are added up in 64-bit ones. */
const max_counted = 2 ** 31

/** Counts every sample of 8 or 16 bits, read as an unsigned integer. */
export interface IntegerCounts {
  readonly totals: Float64Array
  /** Whole pixels that are not in the totals yet; null until one is counted: weighted pixels need the totals only. */
  recent: Uint32Array | null
  counted: number
}

export function startIntegerCounts(bits: 8 | 16): IntegerCounts {
  return { totals: new Float64Array(2 ** bits), recent: null, counted: 0 }
}

/** Counts the samples of a piece. @param mask one byte a pixel, or null where every pixel counts. */
export function countPieceSamples(counts: IntegerCounts, piece: MeasuredPiece, mask: Uint8Array | null): void {
  const { runs, weights, stride } = piece
  const samples = unsignedSamples(piece.data)
  for (let run = 0; run < runs.length; run += 2) {
    const pixel = runs[run]!
    const length = runs[run + 1]!
    if (weights) {
      weigh(counts.totals, samples, stride, pixel, length, weights, mask)
      continue
    }
    counts.counted += length
    if (counts.counted > max_counted) {
      flushIntegerCounts(counts)
      counts.counted = length
    }
    counts.recent ??= new Uint32Array(counts.totals.length)
    countLoop[getSampleTypeOfArray(samples)](counts.recent, samples, stride, pixel, length, mask)
  }
}

/** Adds up what was counted lately. */
export function flushIntegerCounts({ totals, recent }: IntegerCounts): Float64Array {
  for (let word = 0; recent !== null && word < recent.length; word++) totals[word]! += recent[word]!
  recent?.fill(0)
  return totals
}

const countLoop = copyLoopPerSampleType(
  (
    counts: Uint32Array,
    samples: SampleArray,
    stride: number,
    pixel: number,
    length: number,
    mask: Uint8Array | null,
  ): void => {
    const end = pixel + length
    if (mask === null) for (let at = pixel * stride; at < end * stride; at += stride) counts[samples[at]!]!++
    else for (let i = pixel, at = pixel * stride; i < end; i++, at += stride) counts[samples[at]!]! += mask[i]! & 1
  },
)

function weigh(
  totals: Float64Array,
  samples: Uint8Array | Uint16Array,
  stride: number,
  pixel: number,
  length: number,
  weights: Float64Array,
  mask: Uint8Array | null,
): void {
  for (let i = pixel; i < pixel + length; i++) {
    if (mask === null || mask[i] !== 0) totals[samples[i * stride]!]! += weights[i]!
  }
}

function unsignedSamples({ buffer, byteOffset, length, BYTES_PER_ELEMENT }: SampleArray): Uint8Array | Uint16Array {
  return BYTES_PER_ELEMENT === 1
    ? new Uint8Array(buffer, byteOffset, length)
    : new Uint16Array(buffer, byteOffset, length)
}
