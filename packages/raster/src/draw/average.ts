import { roundingOf } from './canvas.ts'
import type { Drawing } from './canvas.ts'

const HAIR = 1e-10

/**
 * Draws the mean of all valid pixels that a drawn pixel covers, those on its border by the part that is covered. Here the
 * positions are corners: one column and one row more than pixels.
 */
export function drawAverage(drawing: Drawing): void {
  const { source, canvas, part, positions } = drawing
  const round = roundingOf(source.data)
  const size = canvas.width * canvas.height
  const sums = new Float64Array(source.bands)
  for (let row = 0; row + 1 < positions.rows; row++) {
    for (let column = 0; column + 1 < positions.columns; column++) {
      const corner = row * positions.columns + column
      if (!sumCovered(drawing, corner, corner + positions.columns + 1, sums)) continue
      const to = (part.top + row) * canvas.width + part.left + column
      canvas.mask[to] = 255
      for (let band = 0; band < canvas.bands; band++) canvas.data[band * size + to] = round(sums[band]!)
    }
  }
}

// The covered pixels are taken as the upright box between two opposite corners.
function sumCovered(drawing: Drawing, corner: number, opposite: number, sums: Float64Array): boolean {
  const { source, positions, origin } = drawing
  const across = covered(positions.x[corner]!, positions.x[opposite]!, origin[0], source.width, drawing.levelSize[0])
  const down = covered(positions.y[corner]!, positions.y[opposite]!, origin[1], source.height, drawing.levelSize[1])
  if (!across || !down) return false
  const sourceSize = source.width * source.height
  sums.fill(0)
  let total = 0
  for (let y: number = down.from; y < down.to; y++) {
    const weightY = partCovered(down, y)
    for (let x: number = across.from; x < across.to; x++) {
      const at = (y - origin[1]) * source.width + x - origin[0]
      if (source.mask[at] === 0) continue
      const weight = weightY * partCovered(across, x)
      total += weight
      for (let band = 0; band < sums.length; band++) {
        sums[band] = sums[band]! + source.data[band * sourceSize + at]! * weight
      }
    }
  }
  if (total <= 0) return false
  for (let band = 0; band < sums.length; band++) sums[band] = sums[band]! / total
  return true
}

interface Cover {
  readonly low: number
  readonly high: number
  /** Whole pixels of the level that are touched. */
  readonly from: number
  readonly to: number
}

function covered(a: number, b: number, origin: number, length: number, levelLength: number): Cover | null {
  const low = Math.min(a, b)
  const high = Math.max(a, b)
  if (!(high > 0 && low < levelLength)) return null
  const from = Math.max(Math.floor(low + HAIR), origin)
  let to = Math.min(Math.ceil(high - HAIR), origin + length)
  if (to === from && to < origin + length) to++
  return from < to ? { low, high, from, to } : null
}

function partCovered({ low, high, from, to }: Cover, at: number): number {
  if (to - from === 1) return 1
  if (at === from) return Math.min(1, 1 - (low - from))
  return at + 1 === to ? Math.min(1, 1 - (to - high)) : 1
}
