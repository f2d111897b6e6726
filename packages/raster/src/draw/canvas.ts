import { SAMPLE_TYPES, sampleTypeOf } from '../sample-types.ts'
import type { Rectangle } from '../plan/mapping.ts'
import type { Positions } from '../plan/positions.ts'
import type { PixelBlock, Samples } from '../types.ts'

/** The picture that is being drawn, empty at first: zeros, and a mask that says so. */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly bands: number
  readonly data: Samples
  readonly mask: Uint8Array
}

/** Everything a resampler needs: what was read, where it lies in its level, and where each drawn pixel falls in that level. */
export interface Drawing {
  readonly source: PixelBlock
  /** Left and top of `source` in its level. */
  readonly origin: readonly [x: number, y: number]
  /** Size of the level, its edge is the edge of the world. */
  readonly levelSize: readonly [width: number, height: number]
  /** The part of the canvas that is looked up; `positions` has a node for each of its pixels, in pixels of the level. */
  readonly part: Rectangle
  readonly positions: Positions
  readonly canvas: Canvas
}

export function createCanvas(width: number, height: number, bands: number, like: Samples): Canvas {
  const data = SAMPLE_TYPES[sampleTypeOf(like)].allocate(width * height * bands)
  return { width, height, bands, data, mask: new Uint8Array(width * height) }
}

/**
 * How a computed value becomes a sample: integers are rounded half up and kept within their range (as gdalwarp does),
 * floating-point ones are stored as they are.
 */
export function roundingOf(like: Samples): (value: number) => number {
  const { format, lowest, highest } = SAMPLE_TYPES[sampleTypeOf(like)]
  if (format === 3) return (value) => value
  return (value) => Math.min(highest, Math.max(lowest, Math.floor(value + 0.5)))
}
