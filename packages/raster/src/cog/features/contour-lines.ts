import { createContourCrossings, findContourCrossings } from './contour-crossings.ts'
import type { ContourCrossings, ContourLevelRange, ContourLimits } from './contour-crossings.ts'
import {
  addContourSegment,
  createContourLineJoiner,
  encodeContourEdgeKey,
  finishContourLines,
  finishContourRow,
  contour_left_side,
  contour_lower_side,
  contour_upper_side,
} from './line-joiner.ts'
import type { ContourLine, ContourEdgeKey, ContourLineJoiner, Position } from './line-joiner.ts'

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
 * in two dimensions). Squares with a centre without a value have no line. Memory: the lines that reach the last row.
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
  const joiner = createContourLineJoiner(width + 1, give)
  const crossings = createContourCrossings(width)
  let above: Float64Array | null = null
  let row = 0
  return {
    add: (values) => {
      if (above) {
        findContourCrossings(crossings, [above, values], levels, limits)
        traceRow(joiner, { ...levels, crossings }, [above, values], row - 1)
        finishContourRow(joiner)
      }
      above = values
      row++
    },
    finish: () => finishContourLines(joiner),
  }
}

/** Traces the squares between two rows of centres. @param y the upper row. */
function traceRow(
  joiner: ContourLineJoiner,
  { interval, base, crossings: { first, last } }: ContourLevelRange & { readonly crossings: ContourCrossings },
  [upper, lower]: readonly [Float64Array, Float64Array],
  y: number,
): void {
  for (let x = 0; x + 1 < upper.length; x++) {
    if (first[x]! > last[x]!) continue
    const square: Square = { corners: [upper[x]!, upper[x + 1]!, lower[x + 1]!, lower[x]!], x, y }
    for (let index = first[x]!; index <= last[x]!; index++) crossSquare(joiner, square, index, base + index * interval)
  }
}

/** A square between four centres, of which `x` and `y` are the upper left one; its corners run clockwise from there. */
interface Square {
  readonly corners: readonly [nw: number, ne: number, se: number, sw: number]
  readonly x: number
  readonly y: number
}

function crossSquare(joiner: ContourLineJoiner, square: Square, index: number, level: number): void {
  const [nw, ne, se, sw] = square.corners
  const kind =
    (nw >= level ? north_west : 0) +
    (ne >= level ? north_east : 0) +
    (se >= level ? south_east : 0) +
    (sw >= level ? south_west : 0)
  for (const [from, to] of segmentsByCase[kind]!)
    addContourSegment(joiner, {
      level,
      from: sides[from].key(joiner, index, square.x),
      to: sides[to].key(joiner, index, square.x),
      start: sides[from].cross(square, level),
      end: sides[to].cross(square, level),
    })
}

type Side = 'top' | 'right' | 'bottom' | 'left'

interface SquareSide {
  readonly key: (joiner: ContourLineJoiner, index: number, x: number) => ContourEdgeKey
  /** Position at which a level crosses the side. */
  readonly cross: (square: Square, level: number) => Position
}

const part = (from: number, to: number, level: number): number => (level - from) / (to - from)

const sides: Readonly<Record<Side, SquareSide>> = {
  top: {
    key: (joiner, index, x) => encodeContourEdgeKey(joiner, index, contour_upper_side, x),
    cross: ({ corners: [nw, ne], x, y }, level) => [x + 0.5 + part(nw, ne, level), y + 0.5],
  },
  right: {
    key: (joiner, index, x) => encodeContourEdgeKey(joiner, index, contour_left_side, x + 1),
    cross: ({ corners: [, ne, se], x, y }, level) => [x + 1.5, y + 0.5 + part(ne, se, level)],
  },
  bottom: {
    key: (joiner, index, x) => encodeContourEdgeKey(joiner, index, contour_lower_side, x),
    cross: ({ corners: [, , se, sw], x, y }, level) => [x + 0.5 + part(sw, se, level), y + 1.5],
  },
  left: {
    key: (joiner, index, x) => encodeContourEdgeKey(joiner, index, contour_left_side, x),
    cross: ({ corners: [nw, , , sw], x, y }, level) => [x + 0.5, y + 0.5 + part(nw, sw, level)],
  },
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
