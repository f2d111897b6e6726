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
    const sum = nw + ne + se + sw
    first[x] = 0
    last[x] = -1
    // Only NaN differs from itself.
    if (sum !== sum) continue
    const from = Math.floor((Math.min(Math.min(nw, ne), Math.min(se, sw)) - base) / interval) + 1
    const to = Math.floor((Math.max(Math.max(nw, ne), Math.max(se, sw)) - base) / interval)
    if (!(from <= to)) continue
    first[x] = from
    last[x] = to
    crossings.total += to - from + 1
    if (from < crossings.lowest) crossings.lowest = from
    if (to > crossings.highest) crossings.highest = to
  }
  const { total, lowest, highest } = crossings
  // Beyond these numbers neighbouring levels are equal as float64, and counting them would not end.
  const areExact = total === 0 || (Number.isSafeInteger(lowest - 1) && Number.isSafeInteger(highest + 1))
  if (!areExact || total > max_crossings || highest - lowest >= max_levels) throw new TooManyContours()
}
