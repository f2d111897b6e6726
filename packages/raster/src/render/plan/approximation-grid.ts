import type { PositionGrid } from '../../compute/kernels/types.ts'

/** Exact position in the source (pixels, corners are whole) of a place on the image; NaN where there is none. */
export type ExactTransform = (column: number, row: number) => [x: number, y: number]

/** Below this many pixels it is cheaper to ask for each than to judge a net; of a single line there is none. */
const min_pixels = 1024
const first_cells = 4
const max_cells = 32
/** Maximum error of quadratic interpolation between exact positions, in pixels of the source. */
const tolerance_pixels = 0.000005
/**
 * The same of the straight lines between the nodes of the finished net: where samples are mixed a steep edge of 16 bits turns
 * every hair into a step.
 */
const straightTolerance = { picked: 0.00005, mixed: 0.00002 } as const
const nodeSpacings = [16, 8, 4, 2] as const

/**
 * Builds a grid of positions over an image of `columns` × `rows` places, `shift` (0 for corners, 0.5 for centres) from
 * its corner. Projections are smooth, so a few exact positions are refined until quadratic interpolation between them
 * is off by less than 0.00005 pixels, and the nodes of the grid are taken from that, as far apart as straight lines
 * between them allow. Where no grid is good enough, every place is projected by itself.
 */
export function buildApproximationGrid(
  exact: ExactTransform,
  columns: number,
  rows: number,
  shift: number,
  use: keyof typeof straightTolerance = 'mixed',
): PositionGrid {
  const shifted: ExactTransform = (column, row) => exact(column + shift, row + shift)
  if (columns * rows <= min_pixels || columns === 1 || rows === 1) return locateEach(shifted, columns, rows)
  for (let cells = first_cells; cells <= max_cells; cells *= 2) {
    const curves = buildPatches(shifted, columns, rows, cells)
    if (errorOf(curves, shifted) < tolerance_pixels) return straighten(curves, columns, rows, straightTolerance[use])
  }
  return locateEach(shifted, columns, rows)
}

/** Cells of three by three exact positions each; neighbours share their border. */
interface QuadraticPatches {
  readonly cells: number
  /** Nodes along a side: two a cell and one more. */
  readonly side: number
  /** Columns (rows) of the image from one node to the next. */
  readonly stepX: number
  readonly stepY: number
  readonly x: Float64Array
  readonly y: Float64Array
}

function buildPatches(exact: ExactTransform, columns: number, rows: number, cells: number): QuadraticPatches {
  const side = 2 * cells + 1
  const stepX = (columns - 1) / (side - 1)
  const stepY = (rows - 1) / (side - 1)
  const x = new Float64Array(side * side)
  const y = new Float64Array(side * side)
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const [px, py] = exact(column * stepX, row * stepY)
      x[row * side + column] = px
      y[row * side + column] = py
    }
  }
  return { cells, side, stepX, stepY, x, y }
}

// Most maps keep angles: their errors along x and along y cancel in the middle of a cell, so each is judged by itself, a
// quarter of the way along a line of nodes, where quadratic interpolation is worst. QuadraticPatches with holes are never good enough.
function errorOf({ cells, side, stepX, stepY, x, y }: QuadraticPatches, exact: ExactTransform): number {
  let worst = 0
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      const at = 2 * row * side + 2 * column
      const [ax, ay] = exact((2 * column + 0.5) * stepX, (2 * row + 1) * stepY)
      const [bx, by] = exact((2 * column + 1) * stepX, (2 * row + 0.5) * stepY)
      const error = Math.max(
        Math.abs(ax - weighThree(x, at + side, 1, halfwayWeights)),
        Math.abs(ay - weighThree(y, at + side, 1, halfwayWeights)),
        Math.abs(bx - weighThree(x, at + 1, side, halfwayWeights)),
        Math.abs(by - weighThree(y, at + 1, side, halfwayWeights)),
      )
      if (Number.isNaN(error)) return Number.POSITIVE_INFINITY
      worst = Math.max(worst, error)
    }
  }
  return worst
}

type Weights = readonly [number, number, number]

/** Lagrange's weights of three nodes at 0, 1 and 2 for a place between 0 and 2. */
function quadraticWeights(t: number): Weights {
  return [((t - 1) * (t - 2)) / 2, t * (2 - t), (t * (t - 1)) / 2]
}

const halfwayWeights = quadraticWeights(0.5)

function weighThree(values: Float64Array, at: number, stride: number, weights: Weights): number {
  return values[at]! * weights[0] + values[at + stride]! * weights[1] + values[at + 2 * stride]! * weights[2]
}

function straighten(curves: QuadraticPatches, columns: number, rows: number, tolerance: number): PositionGrid {
  const bend = bendOf(curves)
  const spacing = nodeSpacings.find((pixels) => (bend * pixels * pixels) / 8 < tolerance) ?? 1
  const across = Math.ceil((columns - 1) / spacing) + 1
  const down = Math.ceil((rows - 1) / spacing) + 1
  const plane = (values: Float64Array): Float64Array => interpolate(curves, values, across, down, spacing)
  return { spacing, across, down, x: plane(curves.x), y: plane(curves.y) }
}

/** The greatest second derivative along columns and rows together: what straight lines are off by, times 8 / length². */
function bendOf({ side, stepX, stepY, x, y }: QuadraticPatches): number {
  let [along, down] = [0, 0]
  for (const values of [x, y]) {
    for (let i = 0; i < side; i++) {
      for (let j = 1; j < side - 1; j++) {
        const row = i * side + j
        const column = j * side + i
        along = Math.max(along, Math.abs(values[row - 1]! - 2 * values[row]! + values[row + 1]!))
        down = Math.max(down, Math.abs(values[column - side]! - 2 * values[column]! + values[column + side]!))
      }
    }
  }
  return along / (stepX * stepX) + down / (stepY * stepY)
}

// First along the lines of nodes, then between the lines.
function interpolate(
  curves: QuadraticPatches,
  values: Float64Array,
  across: number,
  down: number,
  spacing: number,
): Float64Array {
  const { side, cells, stepX, stepY } = curves
  const lines = new Float64Array(side * across)
  for (let column = 0; column < across; column++) {
    const { first, weights } = placeOn((column * spacing) / stepX, cells)
    for (let line = 0; line < side; line++) {
      lines[line * across + column] = weighThree(values, line * side + first, 1, weights)
    }
  }
  const output = new Float64Array(across * down)
  for (let row = 0; row < down; row++) {
    const { first, weights } = placeOn((row * spacing) / stepY, cells)
    for (let column = 0; column < across; column++) {
      output[row * across + column] = weighThree(lines, first * across + column, across, weights)
    }
  }
  return output
}

function placeOn(place: number, cells: number): { first: number; weights: Weights } {
  const cell = Math.min(cells - 1, Math.floor(place / 2))
  return { first: 2 * cell, weights: quadraticWeights(place - 2 * cell) }
}

function locateEach(exact: ExactTransform, columns: number, rows: number): PositionGrid {
  const x = new Float64Array(columns * rows)
  const y = new Float64Array(columns * rows)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [px, py] = exact(column, row)
      x[row * columns + column] = px
      y[row * columns + column] = py
    }
  }
  return { spacing: 1, across: columns, down: rows, x, y }
}

export type PositionBounds = readonly [x0: number, y0: number, x1: number, y1: number]

/** The box around all positions of an image of `columns` × `rows` places; null where none is a position. */
export function findPositionBounds(net: PositionGrid, columns: number, rows: number): PositionBounds | null {
  const { spacing, across, down } = net
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (let row = 0; row < down - 1; row++) {
    const start = row * across
    for (let at = start; at < start + across - 1; at++) widen(box, net.x[at]!, net.y[at]!)
  }
  // The last nodes may lie beyond the image: its own edge counts.
  const [right, bottom] = [(columns - 1) / spacing, (rows - 1) / spacing]
  for (let row = 0; row < down; row++) widen(box, ...positionAt(net, right, Math.min(row, bottom)))
  for (let column = 0; column < across; column++) widen(box, ...positionAt(net, Math.min(column, right), bottom))
  return box[0] <= box[2] && box[1] <= box[3] ? box : null
}

type Box = [x0: number, y0: number, x1: number, y1: number]

// A place without a position has NaN, which is neither less nor more than anything.
function widen(box: Box, x: number, y: number): void {
  if (x < box[0]) box[0] = x
  if (x > box[2]) box[2] = x
  if (y < box[1]) box[1] = y
  if (y > box[3]) box[3] = y
}

/** The position at a place between nodes, counted in nodes. */
function positionAt({ across, x, y }: PositionGrid, column: number, row: number): [number, number] {
  const [left, top] = [Math.floor(column), Math.floor(row)]
  const [fx, fy] = [column - left, row - top]
  const at = top * across + left
  if (fx === 0 && fy === 0) return [x[at]!, y[at]!]
  const right = at + (fx > 0 ? 1 : 0)
  const below = fy > 0 ? across : 0
  const mix = (values: Float64Array): number =>
    (values[at]! * (1 - fx) + values[right]! * fx) * (1 - fy) +
    (values[at + below]! * (1 - fx) + values[right + below]! * fx) * fy
  return [mix(x), mix(y)]
}

/** The same net with a node for every place of an image. */
export function expandPositionGrid(net: PositionGrid, columns: number, rows: number): PositionGrid {
  const x = new Float64Array(columns * rows)
  const y = new Float64Array(columns * rows)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [px, py] = positionAt(net, column / net.spacing, row / net.spacing)
      x[row * columns + column] = px
      y[row * columns + column] = py
    }
  }
  return { spacing: 1, across: columns, down: rows, x, y }
}

/** The nodes from one place on, of a net that has a node for every place. */
export function cropPositionGrid(
  net: PositionGrid,
  left: number,
  top: number,
  columns: number,
  rows: number,
): PositionGrid {
  const cut = (values: Float64Array): Float64Array => {
    const part = new Float64Array(columns * rows)
    for (let row = 0; row < rows; row++) {
      const from = (top + row) * net.across + left
      part.set(values.subarray(from, from + columns), row * columns)
    }
    return part
  }
  return { spacing: 1, across: columns, down: rows, x: cut(net.x), y: cut(net.y) }
}

/** The same net with its positions counted from another corner. */
export function translatePositionGrid(net: PositionGrid, left: number, top: number): PositionGrid {
  return { ...net, x: minus(net.x, left), y: minus(net.y, top) }
}

function minus(values: Float64Array, by: number): Float64Array {
  const moved = new Float64Array(values.length)
  for (let at = 0; at < values.length; at++) moved[at] = values[at]! - by
  return moved
}
