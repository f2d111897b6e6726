import type { Window } from '../window/window.ts'
import type { AreaEdges } from './edges.ts'

/** A part of a pixel so small that it is rounding. */
const min_coverage = 1e-10

/**
 * The part of each pixel of a window that lies inside an area, 0 to 1, row after row. Exact, by the areas between the edges and
 * the right end of each row: an edge adds, with its sign, what lies to its right; adding up along the row gives the part.
 * Meant for areas whose rings do not cross.
 *
 * @param among the edges that reach the rows of the window, others need not be looked at; null for all.
 */
export function computePixelCoverage(
  edges: AreaEdges,
  among: readonly number[] | null,
  [x0, y0, x1, y1]: Window,
): Float64Array {
  const width = x1 - x0
  // One more a row takes what begins to the right of the last pixel.
  const gains = new Float64Array((width + 1) * (y1 - y0))
  const count = among === null ? edges.count : among.length
  for (let at = 0; at < count; at++) {
    const edge = among === null ? at : among[at]!
    const top = Math.max(y0, edges.y0[edge]!)
    const bottom = Math.min(y1, edges.y1[edge]!)
    if (top >= bottom) continue
    const slope = (edges.x1[edge]! - edges.x0[edge]!) / (edges.y1[edge]! - edges.y0[edge]!)
    for (let row = Math.floor(top); row < bottom; row++) {
      const from = Math.max(top, row)
      const to = Math.min(bottom, row + 1)
      const start = edges.x0[edge]! + (from - edges.y0[edge]!) * slope - x0
      const end = edges.x0[edge]! + (to - edges.y0[edge]!) * slope - x0
      addEdgeOfRow(gains, (row - y0) * (width + 1), width, start, end, (to - from) * edges.side[edge]!)
    }
  }
  return sumRows(gains, width, y1 - y0)
}

/** Adds an edge that crosses part of one row: `rise` is the height it covers, with its sign. */
function addEdgeOfRow(gains: Float64Array, row: number, width: number, start: number, end: number, rise: number): void {
  const [left, right] = start <= end ? [start, end] : [end, start]
  if (left >= width) return
  if (right <= 0) {
    gains[row]! += rise
    return
  }
  const length = right - left
  if (length === 0) return addInCell(gains, row, Math.floor(left), left, left, rise)
  // The part of the edge left of the window lies left of all its pixels.
  if (left < 0) gains[row]! += (rise * -left) / length
  const last = Math.min(right, width)
  for (let from = Math.max(0, left); from < last;) {
    const cell = Math.floor(from)
    const to = Math.min(last, cell + 1)
    addInCell(gains, row, cell, from, to, (rise * (to - from)) / length)
    from = to
  }
}

// The edge covers the part of this pixel to its right, and all further pixels entirely.
function addInCell(gains: Float64Array, row: number, cell: number, from: number, to: number, rise: number): void {
  const rest = 1 - ((from + to) / 2 - cell)
  gains[row + cell]! += rise * rest
  gains[row + cell + 1]! += rise * (1 - rest)
}

// The sums take the place of the gains: each is written no later than the gain that lay there is read.
function sumRows(gains: Float64Array, width: number, rows: number): Float64Array {
  const parts = gains.subarray(0, width * rows)
  for (let row = 0; row < rows; row++) {
    let sum = 0
    for (let column = 0; column < width; column++) {
      sum += gains[row * (width + 1) + column]!
      const part = Math.abs(sum)
      parts[row * width + column] = part < min_coverage ? 0 : part > 1 - min_coverage ? 1 : part
    }
  }
  return parts
}
