import { roundingOf } from './canvas.ts'
import type { Drawing } from './canvas.ts'
import { pixelUnder } from './nearest.ts'

/** A resampling curve: the weight of a pixel whose centre is `distance` away, and how far it reaches. */
export interface Kernel {
  readonly weight: (distance: number) => number
  readonly reach: number
  /** What is drawn where the full reach meets a hole or the edge; null: the holes are left out and the rest rescaled. */
  readonly fallback: Kernel | null
}

/** Straight lines between pixel centres. */
export const BILINEAR: Kernel = { weight: (t) => Math.max(0, 1 - Math.abs(t)), reach: 1, fallback: null }

/** Keys' cubic convolution with a = -0.5. */
export const CUBIC: Kernel = { weight: cubicWeight, reach: 2, fallback: BILINEAR }

function cubicWeight(distance: number): number {
  const t = Math.abs(distance)
  if (t >= 2) return 0
  return t <= 1 ? (1.5 * t - 2.5) * t * t + 1 : ((-0.5 * t + 2.5) * t - 4) * t + 2
}

const NOTHING = 1e-5

/**
 * Draws with a kernel. `scale` is drawn pixels a source pixel (below 1 when the picture shrinks): below 0.95 the kernel is
 * widened so that every source pixel counts. A drawn pixel is empty where the pixel under its centre is; other
 * invalid pixels are left out of the sum. The rules are those of gdalwarp.
 */
export function drawWeighted(drawing: Drawing, kernel: Kernel, scale: readonly [x: number, y: number]): void {
  const { source, canvas, part, positions } = drawing
  const shrinks = scale[0] < 0.95 || scale[1] < 0.95
  const sampler = createSampler(drawing, kernel, shrinks ? [Math.min(1, scale[0]), Math.min(1, scale[1])] : [1, 1])
  const spare = kernel.fallback && !shrinks ? createSampler(drawing, kernel.fallback, [1, 1]) : null
  const round = roundingOf(source.data)
  const size = canvas.width * canvas.height
  for (let row = 0; row < positions.rows; row++) {
    for (let column = 0; column < positions.columns; column++) {
      const node = row * positions.columns + column
      const under = pixelUnder(drawing, node)
      if (under < 0 || source.mask[under] === 0) continue
      const sums = sampler(node, spare !== null) ?? spare?.(node, false)
      if (!sums) continue
      const to = (part.top + row) * canvas.width + part.left + column
      canvas.mask[to] = 255
      for (let band = 0; band < canvas.bands; band++) canvas.data[band * size + to] = round(sums[band]!)
    }
  }
}

/** Answers one value a band, in an array that is used again; null where nothing (or, if `complete`, not everything) is valid. */
type Sampler = (node: number, complete: boolean) => Float64Array | null

function createSampler(drawing: Drawing, kernel: Kernel, scale: readonly [number, number]): Sampler {
  const { source, origin, levelSize, positions } = drawing
  const across = createTaps(kernel, scale[0], origin[0], source.width, levelSize[0])
  const down = createTaps(kernel, scale[1], origin[1], source.height, levelSize[1])
  const sums = new Float64Array(source.bands)
  const sourceSize = source.width * source.height
  return (node, complete) => {
    const isWholeX = across.aim(positions.x[node]!)
    const isWholeY = down.aim(positions.y[node]!)
    if (complete && !(isWholeX && isWholeY)) return null
    sums.fill(0)
    let total = 0
    for (let j = 0; j < down.count; j++) {
      const line = (down.first + j) * source.width + across.first
      const weightY = down.weights[j]!
      for (let i = 0; i < across.count; i++) {
        const at = line + i
        if (source.mask[at] === 0) {
          if (complete) return null
          continue
        }
        const weight = weightY * across.weights[i]!
        total += weight
        for (let band = 0; band < sums.length; band++) {
          sums[band] = sums[band]! + source.data[band * sourceSize + at]! * weight
        }
      }
    }
    if (total < NOTHING) return null
    if (total !== 1) for (let band = 0; band < sums.length; band++) sums[band] = sums[band]! / total
    return sums
  }
}

interface Taps {
  /** Places the kernel over a position of the level; true where its full reach lies inside the level. */
  aim(position: number): boolean
  /** First source pixel that counts, how many, and their weights. */
  first: number
  count: number
  readonly weights: Float64Array
}

function createTaps(kernel: Kernel, scale: number, origin: number, length: number, levelLength: number): Taps {
  const radius = scale < 0.95 ? Math.ceil(kernel.reach / scale) : kernel.reach
  const narrowing = scale < 0.95 ? scale : 1
  const taps: Taps = {
    first: 0,
    count: 0,
    weights: new Float64Array(2 * radius + 1),
    aim(position) {
      const centre = Math.floor(position - 0.5)
      const from = Math.max(centre - radius + 1, origin)
      const to = Math.min(centre + radius, origin + length - 1)
      taps.first = from - origin
      taps.count = Math.max(0, to - from + 1)
      for (let at = from; at <= to; at++) taps.weights[at - from] = kernel.weight((at + 0.5 - position) * narrowing)
      return centre - radius + 1 >= 0 && centre + radius < levelLength
    },
  }
  return taps
}
