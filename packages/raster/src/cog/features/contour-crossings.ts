import { RasterFailure } from '../../failures.ts'

export interface ContourLevelRange {
  /** Difference between neighbouring levels, and one of them. */
  readonly interval: number
  readonly base: number
}

/** There is an interval that gives less (`suggestContourInterval`). */
export class TooManyContours extends RasterFailure {
  constructor() {
    super('budget', 'the interval gives too many levels or positions')
  }
}

/** Limits of the contour lines of one surface. */
export interface ContourLimits {
  /** From the lowest to the highest that is crossed. */
  readonly max_levels: number
  /** Squares between the centres of four pixels, times the levels that cross each of them. */
  readonly max_crossings: number
}

/** The levels that cross the squares of a row, by their numbers: the base is 0. */
export interface ContourCrossings {
  readonly first: Float64Array
  /** Below the first where there is none. */
  readonly last: Float64Array
  /** Of all rows so far. */
  total: number
  lowest: number
  highest: number
}

export const createContourCrossings = (width: number): ContourCrossings => ({
  first: new Float64Array(width),
  last: new Float64Array(width),
  total: 0,
  lowest: Infinity,
  highest: -Infinity,
})

/** A row of values with a pixel without a value on both sides. */
export function padContourRow(values: Float64Array): Float64Array<ArrayBuffer> {
  const padded = new Float64Array(values.length + 2).fill(Number.NaN)
  padded.set(values, 1)
  return padded
}

/** The lowest of the corners of a square that have a value; Infinity if none has. */
export function lowestCorner(nw: number, ne: number, se: number, sw: number): number {
  // Comparisons with NaN are false.
  let low = Infinity
  if (nw < low) low = nw
  if (ne < low) low = ne
  if (se < low) low = se
  if (sw < low) low = sw
  return low
}

/** The highest of the corners of a square that have a value; -Infinity if none has. */
export const highestCorner = (nw: number, ne: number, se: number, sw: number): number =>
  -lowestCorner(-nw, -ne, -se, -sw)

/** The parts that a line has in a square at most: one without a value in a corner is cut into quarters. */
export function countPartsOfLine(nw: number, ne: number, se: number, sw: number): number {
  const sum = nw + ne + se + sw
  // Only NaN differs from itself.
  return sum === sum ? 1 : 3
}

/**
 * Finds the levels that cross the squares between two rows of centres, before any line is traced: those of a single square may be
 * more than fit in memory.
 *
 * @throws TooManyContours
 */
export function findContourCrossings(
  crossings: ContourCrossings,
  [upper, lower]: readonly [Float64Array, Float64Array],
  { interval, base }: ContourLevelRange,
  { max_levels, max_crossings }: ContourLimits,
): void {
  const { first, last } = crossings
  for (let x = 0; x + 1 < upper.length; x++) {
    const nw = upper[x]!
    const ne = upper[x + 1]!
    const se = lower[x + 1]!
    const sw = lower[x]!
    first[x] = 0
    last[x] = -1
    const low = lowestCorner(nw, ne, se, sw)
    const high = highestCorner(nw, ne, se, sw)
    if (!(low < high)) continue
    const from = Math.floor((low - base) / interval) + 1
    const to = Math.floor((high - base) / interval)
    if (!(from <= to)) continue
    first[x] = from
    last[x] = to
    crossings.total += (to - from + 1) * countPartsOfLine(nw, ne, se, sw)
    if (from < crossings.lowest) crossings.lowest = from
    if (to > crossings.highest) crossings.highest = to
  }
  const { total, lowest, highest } = crossings
  // Beyond these numbers neighbouring levels are equal as float64, and counting them would not end.
  const areExact = total === 0 || (Number.isSafeInteger(lowest - 1) && Number.isSafeInteger(highest + 1))
  if (!areExact || total > max_crossings || highest - lowest >= max_levels) throw new TooManyContours()
}
