import { emptyNodataRange } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import type { MeasuredPiece } from './accumulator.ts'

/** Values looked at together: little enough to stay in the processor's cache. */
const chunk_values = 4096
const raw = new Float64Array(chunk_values)
const values = new Float64Array(chunk_values)
const parts = new Float64Array(chunk_values)

/** Rules that tell values from missing samples, with scale and offset. */
export interface ValidValueRules {
  /** False where the mask says nothing that the samples do not say themselves. */
  readonly masked: boolean
  readonly nodata: NodataRange | null
  readonly scale: number
  readonly offset: number
  /** True where infinite samples are left out, too. */
  readonly finite?: boolean
}

/** Takes some values; `weights` is null where all count 1. The arrays are reused afterwards. */
export type ValueConsumer = (values: Float64Array, weights: Float64Array | null, count: number) => void

/**
 * Passes on the valid values of one band of a piece as float64, which holds all that samples can be, a few thousand at a
 * time: so every loop behind it sees one kind of array. NaN and nodata are left out; -0 becomes 0.
 */
export function forEachValidValue(piece: MeasuredPiece, rules: ValidValueRules, take: ValueConsumer): void {
  const { data, stride, runs, weights } = piece
  const mask = rules.masked ? piece.mask : null
  const step = Math.max(1, Math.floor(chunk_values / stride))
  for (let run = 0; run < runs.length; run += 2) {
    const end = runs[run]! + runs[run + 1]!
    for (let pixel = runs[run]!; pixel < end; pixel += step) {
      const length = Math.min(step, end - pixel)
      raw.set(data.subarray(pixel * stride, (pixel + length - 1) * stride + 1))
      const count = weights
        ? keepWeighted(length, stride, mask, weights, pixel, rules)
        : keepValid(length, stride, mask, pixel, rules)
      if (count > 0) take(values, weights ? parts : null, count)
    }
  }
}

/** Comparisons with it are false for NaN, and for infinite samples if they are left out. */
const limitOf = (rules: ValidValueRules): number => (rules.finite ? Number.MAX_VALUE : Infinity)

function keepValid(
  length: number,
  stride: number,
  mask: Uint8Array | null,
  pixel: number,
  rules: ValidValueRules,
): number {
  const { scale, offset } = rules
  const { lowest, highest } = rules.nodata ?? emptyNodataRange
  const limit = limitOf(rules)
  let count = 0
  for (let i = 0, at = 0; i < length; i++, at += stride) {
    const sample = raw[at]!
    values[count] = sample * scale + offset
    const isValue = sample >= -limit && sample <= limit && !(sample >= lowest && sample <= highest)
    if (isValue && (mask === null || mask[pixel + i] !== 0)) count++
  }
  return count
}

function keepWeighted(
  length: number,
  stride: number,
  mask: Uint8Array | null,
  weights: Float64Array,
  pixel: number,
  rules: ValidValueRules,
): number {
  const { scale, offset } = rules
  const { lowest, highest } = rules.nodata ?? emptyNodataRange
  const limit = limitOf(rules)
  let count = 0
  for (let i = 0, at = 0; i < length; i++, at += stride) {
    const sample = raw[at]!
    const weight = weights[pixel + i]!
    const isValue = sample >= -limit && sample <= limit && !(sample >= lowest && sample <= highest)
    if (!isValue || weight === 0 || (mask !== null && mask[pixel + i] === 0)) continue
    values[count] = sample * scale + offset
    parts[count++] = weight
  }
  return count
}
