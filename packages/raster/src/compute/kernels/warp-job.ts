import { RasterFailure } from '../../failures.ts'
import type { PositionGrid, WarpKernelJob } from './types.ts'

/** Positions are split into whole pixels and fractions with 20 bits for the former, one of them the sign. */
const max_side = 2 ** 19

/**
 * Below this many target pixels for each source pixel a kernel is widened so that every source pixel counts; as in
 * gdalwarp.
 */
const shrinking_scale = 0.95

/** A smaller sum of weights is nothing, in gdalwarp as well; a mean only needs some. */
export const minWeightSums = { kernel: 1e-5, mean: Number.MIN_VALUE } as const

/** A kernel with weights along one axis. */
export interface ResampleAxisPlan {
  readonly cubic: boolean
  /** From the centre of the first pixel that it reaches to the position, at most. */
  readonly reach: number
  /** Pixels that it reaches, at most. */
  readonly taps: number
  /** Distances are multiplied by it before the curve is evaluated. */
  readonly narrowing: number
}

/** Straight lines between four neighbours. */
export const linearResampleAxisPlan: ResampleAxisPlan = { cubic: false, reach: 1.5, taps: 2, narrowing: 1 }

/** The kernel of a job with weights. */
export interface ResampleWeightPlan {
  readonly across: ResampleAxisPlan
  readonly down: ResampleAxisPlan
  /** True where four neighbours are blended without more ado. */
  readonly blends: boolean
  /** True where the kernel gives way to a blend of four neighbours wherever a pixel that it reaches is missing. */
  readonly needsAll: boolean
}

/** In an image that shrinks along either axis, each axis is judged by itself. */
export function planResampleWeights({ resampling, scale }: WarpKernelJob): ResampleWeightPlan {
  const cubic = resampling === 'cubic'
  const along = (scale: number): ResampleAxisPlan => {
    const narrowing = scale < shrinking_scale ? scale : 1
    const support = (cubic ? 2 : 1) / narrowing
    return { cubic, narrowing, reach: support + 0.5, taps: Math.ceil(2 * support) }
  }
  const shrinks = Math.min(...scale) < shrinking_scale
  return {
    across: along(scale[0]),
    down: along(scale[1]),
    blends: resampling === 'bilinear' && !shrinks,
    needsAll: cubic && !shrinks,
  }
}

/** A kernel over more pixels than an image may be long has no place in memory. */
const min_scale = 2 ** -23

/**
 * Checks what the checks of all kernels do not. Throws a plain Error for a mistake in the code, `budget` for an image
 * of more than 524,288 pixels a side.
 */
export function checkWarpRequest({ source, target, net, resampling, scale }: WarpKernelJob): void {
  const sides = [source.width, source.height, target.width, target.height]
  if (Math.min(...sides) < 1) throw new Error('an image without pixels cannot be warped')
  if (Math.max(...sides) > max_side)
    throw new RasterFailure('budget', `more than ${max_side} pixels in a row cannot be rendered at once`)
  if (!scale.every((value) => value > 0 && value < Infinity)) throw new Error(`${scale} is not a scale`)
  if (Math.min(...scale) < min_scale)
    throw new RasterFailure(
      'budget',
      'the image would be shrunk too much at once; choose smaller pixels, or a smaller area',
    )
  // Averages look at the corners of pixels, of which there is one more.
  const more = resampling === 'average' ? 1 : 0
  if (!isPower(net) || !reaches(net, net.across, target.width + more) || !reaches(net, net.down, target.height + more))
    throw new Error('the net does not cover the target')
}

function isPower({ spacing }: PositionGrid): boolean {
  return Number.isInteger(Math.log2(spacing)) && spacing >= 1 && spacing <= max_side
}

function reaches({ spacing }: PositionGrid, nodes: number, positions: number): boolean {
  return (nodes - 1) * spacing >= positions - 1
}
