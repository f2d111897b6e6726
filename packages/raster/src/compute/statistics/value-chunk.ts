import { NOTHING } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import type { Piece } from './accumulator.ts'

/** Values looked at together: little enough to stay in the processor's cache. */
const CHUNK_VALUES = 4096
const raw = new Float64Array(CHUNK_VALUES)
const values = new Float64Array(CHUNK_VALUES)
const parts = new Float64Array(CHUNK_VALUES)

/** Which samples are values, and what they mean. */
export interface ValueRules {
  /** False where the mask says nothing that the samples do not say themselves. */
  readonly masked: boolean
  readonly nodata: NodataRange | null
  readonly scale: number
  readonly offset: number
}

/** Takes some values; `weights` is null where all count 1. The arrays are reused afterwards. */
export type TakeValues = (values: Float64Array, weights: Float64Array | null, count: number) => void

/**
 * Hands on the valid values of one band of a piece as float64, which holds all that samples can be, a few thousand at a time:
 * so every loop behind it sees one kind of array. NaN and nodata are left out; -0 becomes 0. The samples of the piece must lie
 * one behind the other.
 */
export function takePiece(piece: Piece, rules: ValueRules, take: TakeValues): void {
  const { data, runs, weights } = piece
  const mask = rules.masked ? piece.mask : null
  for (let run = 0; run < runs.length; run += 2) {
    const end = runs[run]! + runs[run + 1]!
    for (let pixel = runs[run]!; pixel < end; pixel += CHUNK_VALUES) {
      const length = Math.min(CHUNK_VALUES, end - pixel)
      raw.set(data.subarray(pixel, pixel + length))
      const count = weights ? keepWeighted(length, mask, weights, pixel, rules) : keepValid(length, mask, pixel, rules)
      if (count > 0) take(values, weights ? parts : null, count)
    }
  }
}

function keepValid(length: number, mask: Uint8Array | null, pixel: number, rules: ValueRules): number {
  const { scale, offset } = rules
  const { lowest, highest } = rules.nodata ?? NOTHING
  let count = 0
  for (let i = 0; i < length; i++) {
    const sample = raw[i]!
    values[count] = sample * scale + offset
    // Only NaN differs from itself.
    if (!(sample >= lowest && sample <= highest) && sample === sample && (mask === null || mask[pixel + i] !== 0))
      count++
  }
  return count
}

function keepWeighted(
  length: number,
  mask: Uint8Array | null,
  weights: Float64Array,
  pixel: number,
  { nodata, scale, offset }: ValueRules,
): number {
  const { lowest, highest } = nodata ?? NOTHING
  let count = 0
  for (let i = 0; i < length; i++) {
    const sample = raw[i]!
    const weight = weights[pixel + i]!
    if (
      weight === 0 ||
      (sample >= lowest && sample <= highest) ||
      sample !== sample ||
      (mask !== null && mask[pixel + i] === 0)
    )
      continue
    values[count] = sample * scale + offset
    parts[count++] = weight
  }
  return count
}
