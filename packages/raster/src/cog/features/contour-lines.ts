import { createContourCrossings, findContourCrossings, padContourRow } from './contour-crossings.ts'
import type { ContourCrossings, ContourLevelRange, ContourLimits } from './contour-crossings.ts'
import {
  addContourSegment,
  createContourLineJoiner,
  encodeContourEdgeKey,
  finishContourLines,
  finishContourRow,
  contourEdges,
} from './line-joiner.ts'
import type { ContourEdge, ContourEdgeKey, ContourLine, ContourLineJoiner, Position } from './line-joiner.ts'

/** Looks for lines row of pixels by row of pixels. */
export interface ContourTracer {
  /**
   * The values at the centres of the next row of pixels; NaN where there is none.
   *
   * @throws TooManyContours for more levels or crossings than allowed, before a line of the row is traced.
   */
  add(values: Float64Array): void
  /** Passes on the lines that are left. */
  finish(): void
}

/**
 * Traces the lines at which a surface crosses levels, by marching squares between the centres of pixels (Lorensen and Cline 1987,
 * in two dimensions), as gdal_contour does: a square with a corner without a value, of the image or around it, has lines in the
 * quarters of its other corners, so that they end at the sides of pixels without a value and of the image. Memory: the lines
 * that reach the last row.
 *
 * @param width pixels of a row.
 * @param give called with each line once it cannot grow any more.
 */
export function createContourTracer(
  width: number,
  levels: ContourLevelRange,
  give: (line: ContourLine) => void,
  limits: ContourLimits = { max_levels: Infinity, max_crossings: Infinity },
): ContourTracer {
  const joiner = createContourLineJoiner(width + 2, give)
  const crossings = createContourCrossings(width + 2)
  const emptyRow = new Float64Array(width + 2).fill(Number.NaN)
  let above: Float64Array = emptyRow
  let row = 0
  const addRow = (values: Float64Array): void => {
    findContourCrossings(crossings, [above, values], levels, limits)
    traceRow(joiner, { ...levels, crossings }, [above, values], row - 1)
    finishContourRow(joiner)
    above = values
    row++
  }
  return {
    add: (values) => addRow(padContourRow(values)),
    finish: () => {
      addRow(emptyRow)
      finishContourLines(joiner)
    },
  }
}

/** Traces the squares between two rows of centres. @param y the upper row; their first column is beside the image. */
function traceRow(
  joiner: ContourLineJoiner,
  { interval, base, crossings: { first, last } }: ContourLevelRange & { readonly crossings: ContourCrossings },
  [upper, lower]: readonly [Float64Array, Float64Array],
  y: number,
): void {
  for (let x = 0; x + 1 < upper.length; x++) {
    if (first[x]! > last[x]!) continue
    const corners: SquareCorners = [upper[x]!, upper[x + 1]!, lower[x + 1]!, lower[x]!]
    const square: Square = { corners, column: x, left: x - 0.5, top: y + 0.5, size: 1, sides: wholeSides }
    const squares = corners.some((value) => Number.isNaN(value)) ? quarterSquare(square) : [square]
    for (const each of squares)
      for (let index = first[x]!; index <= last[x]!; index++) crossSquare(joiner, each, index, base + index * interval)
  }
}

type SquareCorners = readonly [nw: number, ne: number, se: number, sw: number]

/** A square between four centres, or a quarter of one; its corners run clockwise from the upper left one. */
interface Square {
  readonly corners: SquareCorners
  /** Of the square or of that of which it is a quarter. */
  readonly column: number
  readonly left: number
  readonly top: number
  readonly size: number
  readonly sides: SquareSides
}

/** The quarters of a square at its corners with a value, between these, its middle and the middles of its sides. */
function quarterSquare({ corners, column, left, top }: Square): Square[] {
  const [nw, ne, se, sw] = corners
  const [north, east, south, west] = [meanOf(nw, ne), meanOf(ne, se), meanOf(sw, se), meanOf(nw, sw)]
  const middle = meanOf(...corners)
  const quarters: readonly SquareCorners[] = [
    [nw, north, middle, west],
    [north, ne, east, middle],
    [middle, east, se, south],
    [west, middle, south, sw],
  ]
  return quarters.flatMap((quarter, at) => {
    if (Number.isNaN(corners[at])) return []
    const { right, below, sides } = quarterPlaces[at]!
    return [{ corners: quarter, column, left: left + right / 2, top: top + below / 2, size: 0.5, sides }]
  })
}

/** The mean of those that are numbers. */
function meanOf(...values: readonly number[]): number {
  const numbers = values.filter((value) => !Number.isNaN(value))
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length
}

function crossSquare(joiner: ContourLineJoiner, square: Square, index: number, level: number): void {
  const [nw, ne, se, sw] = square.corners
  const kind =
    (nw >= level ? north_west : 0) +
    (ne >= level ? north_east : 0) +
    (se >= level ? south_east : 0) +
    (sw >= level ? south_west : 0)
  const keyOf = (side: Side): ContourEdgeKey => {
    const [edge, columns_right] = square.sides[side]
    return encodeContourEdgeKey(joiner, index, edge, square.column + columns_right)
  }
  for (const [from, to] of segmentsByCase[kind]!)
    addContourSegment(joiner, {
      level,
      from: keyOf(from),
      to: keyOf(to),
      start: crossSide[from](square, level),
      end: crossSide[to](square, level),
    })
}

type Side = 'top' | 'right' | 'bottom' | 'left'

/** The edge that each side is, or a half of it, and how many columns it is to the right. */
type SquareSides = Readonly<Record<Side, readonly [edge: ContourEdge, columns_right: number]>>

const wholeSides: SquareSides = {
  top: [contourEdges.upper, 0],
  right: [contourEdges.left, 1],
  bottom: [contourEdges.lower, 0],
  left: [contourEdges.left, 0],
}

/** Where the quarters of a square are, clockwise from the upper left one. A level crosses one half of a side at most. */
const quarterPlaces: readonly { readonly right: 0 | 1; readonly below: 0 | 1; readonly sides: SquareSides }[] = [
  {
    right: 0,
    below: 0,
    sides: { ...wholeSides, right: [contourEdges.middle_up, 0], bottom: [contourEdges.middle_left, 0] },
  },
  {
    right: 1,
    below: 0,
    sides: { ...wholeSides, left: [contourEdges.middle_up, 0], bottom: [contourEdges.middle_right, 0] },
  },
  {
    right: 1,
    below: 1,
    sides: { ...wholeSides, left: [contourEdges.middle_down, 0], top: [contourEdges.middle_right, 0] },
  },
  {
    right: 0,
    below: 1,
    sides: { ...wholeSides, right: [contourEdges.middle_down, 0], top: [contourEdges.middle_left, 0] },
  },
]

const part = (from: number, to: number, level: number): number => (level - from) / (to - from)

/** Position at which a level crosses a side. */
const crossSide: Readonly<Record<Side, (square: Square, level: number) => Position>> = {
  top: ({ corners: [nw, ne], left, top, size }, level) => [left + size * part(nw, ne, level), top],
  right: ({ corners: [, ne, se], left, top, size }, level) => [left + size, top + size * part(ne, se, level)],
  bottom: ({ corners: [, , se, sw], left, top, size }, level) => [left + size * part(sw, se, level), top + size],
  left: ({ corners: [nw, , , sw], left, top, size }, level) => [left, top + size * part(nw, sw, level)],
}

const north_west = 8
const north_east = 4
const south_east = 2
const south_west = 1

/**
 * The parts of lines in a square by the sum of the corners that reach the level. Where two opposite corners do, the north-east and
 * the south-west one are cut off, as in gdal_contour.
 */
const segmentsByCase: readonly (readonly (readonly [Side, Side])[])[] = [
  [],
  [['left', 'bottom']],
  [['bottom', 'right']],
  [['left', 'right']],
  [['top', 'right']],
  [
    ['top', 'right'],
    ['left', 'bottom'],
  ],
  [['top', 'bottom']],
  [['top', 'left']],
  [['top', 'left']],
  [['top', 'bottom']],
  [
    ['top', 'right'],
    ['left', 'bottom'],
  ],
  [['top', 'right']],
  [['left', 'right']],
  [['bottom', 'right']],
  [['left', 'bottom']],
  [],
]
