import { settle } from './reference-warp-positions.ts'
import type { ResampleAxisPlan } from '../../src/compute/kernels/warp-job.ts'

/** The source pixels along one axis that count, and their weights. */
export interface Taps {
  readonly first: number
  readonly weights: readonly number[]
  /** True where all that the kernel reaches lies in the source. */
  readonly whole: boolean
}

/** Weights are rounded to f32 for samples of 8 and 16 bits. */
export type Keep = (value: number) => number

/** Places a kernel over a position inside a source of `length` pixels. */
export function aim(plan: ResampleAxisPlan, position: number, length: number, keep: Keep): Taps {
  const { cubic, narrowing, reach, taps } = plan
  const curve = cubic ? cubicWeight : triangleWeight
  const lowest = Math.floor(settle(position, reach)) + 1
  const first = Math.max(lowest, 0)
  const end = Math.min(lowest + taps, length)
  const distance = keep(first + 0.5 - position)
  const scale = keep(narrowing)
  return {
    first,
    weights: Array.from({ length: end - first }, (_, at) => curve(keep(Math.abs(keep(distance + at)) * scale), keep)),
    whole: lowest >= 0 && lowest + taps <= length,
  }
}

function triangleWeight(t: number, keep: Keep): number {
  return Math.max(0, keep(1 - t))
}

/** Keys' cubic convolution with a = -0.5. */
function cubicWeight(t: number, keep: Keep): number {
  if (t >= 2) return 0
  const curve =
    t <= 1
      ? keep(keep(keep(keep(1.5 * t) - 2.5) * t) * t) + 1
      : keep(keep(keep(keep(keep(-0.5 * t) + 2.5) * t) - 4) * t) + 2
  return keep(curve)
}

const rounding_margin = 1e-10

/** Covers a source of `length` pixels from `a` to `b`, pixels on the border by the part that is covered; null: none. */
export function cover(a: number, b: number, length: number, keep: Keep): Taps | null {
  const low = Math.min(a, b)
  const high = Math.max(a, b)
  if (!(high > 0 && low < length)) return null
  const first = Math.max(Math.floor(low + rounding_margin), 0)
  let end = Math.min(Math.ceil(high - rounding_margin), length)
  if (end === first && end < length) end++
  if (first >= end) return null
  const weights = Array.from({ length: end - first }, () => 1)
  if (weights.length > 1) {
    weights[0] = keep(Math.min(1, 1 - (low - first)))
    weights[weights.length - 1] = keep(Math.min(1, 1 - (end - high)))
  }
  return { first, weights, whole: true }
}
