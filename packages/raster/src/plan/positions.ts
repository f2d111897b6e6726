import type { Mapping } from './mapping.ts'

/** Where the nodes of a regular grid on the map fall in the picture, row after row, in pixels of the full level. */
export interface Positions {
  readonly columns: number
  readonly rows: number
  readonly x: Float64Array
  readonly y: Float64Array
}

/** A regular grid on the map: the first node and the step between nodes, EPSG:3857 metres; rows go south. */
export interface MapGrid {
  readonly west: number
  readonly north: number
  readonly step: number
  readonly columns: number
  readonly rows: number
}

const MOST_CELLS = 32
const FIRST_CELLS = 4
const FEWEST_NODES = 1024
/** How far an interpolated position may be off, in pixels of the level that is read. */
const TOLERANCE = 0.00005

/**
 * Finds the pixel position of every node. Projections are smooth, so a coarse net of exact positions is refined until
 * quadratic interpolation in it is off by less than 0.00005 pixels (`scale`: pixels of the full level in one that is read);
 * where no net is good enough, every node is projected by itself.
 */
export function locateNodes(mapping: Mapping, grid: MapGrid, scale: number): Positions {
  if (mapping.separate) return locateSeparable(mapping.separate, grid)
  const exact = (column: number, row: number): [number, number] =>
    mapping.toPixel(grid.west + column * grid.step, grid.north - row * grid.step)
  // A small part is cheaper to project outright than to judge.
  if (grid.columns * grid.rows <= FEWEST_NODES) return locateEach(exact, grid)
  for (let cells = FIRST_CELLS; cells <= MOST_CELLS; cells *= 2) {
    const net = buildNet(exact, grid, cells)
    if (netError(net, exact) < TOLERANCE * scale) return interpolateNet(net, grid)
  }
  return locateEach(exact, grid)
}

/** Cells of three by three exact positions each; neighbours share their border. */
interface Net {
  readonly cells: number
  /** Nodes along a side: two a cell and one more. */
  readonly side: number
  /** Grid columns (rows) from one node to the next. */
  readonly stepX: number
  readonly stepY: number
  readonly x: Float64Array
  readonly y: Float64Array
}

type Exact = (column: number, row: number) => [x: number, y: number]

function buildNet(exact: Exact, grid: MapGrid, cells: number): Net {
  const side = 2 * cells + 1
  const stepX = (grid.columns - 1) / (side - 1)
  const stepY = (grid.rows - 1) / (side - 1)
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
// quarter of the way along a line of nodes, where quadratic interpolation is worst. A net with holes is never good enough.
function netError(net: Net, exact: Exact): number {
  const { cells, side, stepX, stepY } = net
  let worst = 0
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      const at = 2 * row * side + 2 * column
      const [ax, ay] = exact((2 * column + 0.5) * stepX, (2 * row + 1) * stepY)
      const [bx, by] = exact((2 * column + 1) * stepX, (2 * row + 0.5) * stepY)
      const error = Math.max(
        Math.abs(ax - quarterAlong(net.x, at + side, 1)),
        Math.abs(ay - quarterAlong(net.y, at + side, 1)),
        Math.abs(bx - quarterAlong(net.x, at + 1, side)),
        Math.abs(by - quarterAlong(net.y, at + 1, side)),
      )
      if (Number.isNaN(error)) return Number.POSITIVE_INFINITY
      worst = Math.max(worst, error)
    }
  }
  return worst
}

const QUARTER = quadraticWeights(0.5)

function quarterAlong(values: Float64Array, at: number, stride: number): number {
  return values[at]! * QUARTER[0] + values[at + stride]! * QUARTER[1] + values[at + 2 * stride]! * QUARTER[2]
}

/** Lagrange's weights of three nodes at 0, 1 and 2 for a place between 0 and 2. */
function quadraticWeights(t: number): [number, number, number] {
  return [((t - 1) * (t - 2)) / 2, t * (2 - t), (t * (t - 1)) / 2]
}

function interpolateNet(net: Net, { columns, rows }: MapGrid): Positions {
  return {
    columns,
    rows,
    x: interpolatePlane(net, net.x, columns, rows),
    y: interpolatePlane(net, net.y, columns, rows),
  }
}

// First along the lines of nodes, then between the lines.
function interpolatePlane(net: Net, values: Float64Array, columns: number, rows: number): Float64Array {
  const { side, cells } = net
  const lines = new Float64Array(side * columns)
  for (let column = 0; column < columns; column++) {
    const { first, weights } = placeInNet(column / net.stepX, cells)
    for (let line = 0; line < side; line++) {
      lines[line * columns + column] = weighThree(values, line * side + first, 1, weights)
    }
  }
  const output = new Float64Array(columns * rows)
  for (let row = 0; row < rows; row++) {
    const { first, weights } = placeInNet(row / net.stepY, cells)
    for (let column = 0; column < columns; column++) {
      output[row * columns + column] = weighThree(lines, first * columns + column, columns, weights)
    }
  }
  return output
}

function placeInNet(place: number, cells: number): { first: number; weights: readonly [number, number, number] } {
  const cell = Math.min(cells - 1, Math.floor(place / 2))
  return { first: 2 * cell, weights: quadraticWeights(place - 2 * cell) }
}

function weighThree(
  values: Float64Array,
  at: number,
  stride: number,
  weights: readonly [number, number, number],
): number {
  return values[at]! * weights[0] + values[at + stride]! * weights[1] + values[at + 2 * stride]! * weights[2]
}

function locateEach(exact: Exact, { columns, rows }: MapGrid): Positions {
  const x = new Float64Array(columns * rows)
  const y = new Float64Array(columns * rows)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [px, py] = exact(column, row)
      x[row * columns + column] = px
      y[row * columns + column] = py
    }
  }
  return { columns, rows, x, y }
}

// A picture in Web Mercator or in plain degrees is only stretched: a row and a column of exact positions say everything.
function locateSeparable(separate: NonNullable<Mapping['separate']>, grid: MapGrid): Positions {
  const { west, north, step, columns, rows } = grid
  const lineX = Float64Array.from({ length: columns }, (_, column) => separate.columnAt(west + column * step))
  const lineY = Float64Array.from({ length: rows }, (_, row) => separate.rowAt(north - row * step))
  const x = new Float64Array(columns * rows)
  const y = new Float64Array(columns * rows)
  for (let row = 0; row < rows; row++) {
    x.set(lineX, row * columns)
    y.fill(lineY[row]!, row * columns, (row + 1) * columns)
  }
  return { columns, rows, x, y }
}
