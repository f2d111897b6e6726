import {
  countPartsOfLine,
  highestCorner,
  lowestCorner,
  padContourRow,
  type ContourLimits,
} from './contour-crossings.ts'

/** The figures of a surface that determine how many levels cross it. */
export interface SurfaceValueRange {
  readonly lowest: number
  readonly highest: number
  /** Of the lowest and the highest value of each square between four centres, summed. */
  readonly differences: number
  /** Of any value to the base. */
  readonly farthest: number
}

/** Looks at all rows of a surface. */
export async function measureSurfaceRange(
  pieces: AsyncIterable<{ readonly rows: readonly Float64Array[] }>,
  base: number,
): Promise<SurfaceValueRange> {
  let [lowest, highest, differences] = [Infinity, -Infinity, 0]
  let above: Float64Array | null = null
  const addRow = (row: Float64Array): void => {
    above ??= new Float64Array(row.length).fill(Number.NaN)
    for (let x = 0; x + 1 < row.length; x++) {
      const [nw, ne, se, sw] = [above[x]!, above[x + 1]!, row[x + 1]!, row[x]!]
      const low = lowestCorner(nw, ne, se, sw)
      const high = highestCorner(nw, ne, se, sw)
      // Squares of no values have no line.
      if (!(low <= high)) continue
      if (low < lowest) lowest = low
      if (high > highest) highest = high
      differences += (high - low) * countPartsOfLine(nw, ne, se, sw)
    }
    above = row
  }
  for await (const { rows } of pieces) for (const row of rows) addRow(padContourRow(row))
  if (above) addRow(new Float64Array((above as Float64Array).length).fill(Number.NaN))
  return { lowest, highest, differences, farthest: Math.max(Math.abs(lowest - base), Math.abs(highest - base)) }
}

/** Levels may lie denser on the differences than on average. */
const safety_factor = 1.5

/** A round interval with which a surface stays within limits. */
export function suggestContourInterval(
  { lowest, highest, differences, farthest }: SurfaceValueRange,
  { max_levels, max_crossings }: ContourLimits,
): number {
  const ofLevels = (highest - lowest) / (max_levels - 1)
  const ofCrossings = (safety_factor * differences) / max_crossings
  return roundUpToNiceNumber(Math.max(ofLevels, ofCrossings, farthest / Number.MAX_SAFE_INTEGER))
}

/** The next number that is 1, 2 or 5 times a power of ten. */
export function roundUpToNiceNumber(value: number): number {
  const power = Math.floor(Math.log10(value))
  const step = [1, 2, 5].find((digit) => Number(`${digit}e${power}`) >= value)
  return step === undefined ? Number(`1e${power + 1}`) : Number(`${step}e${power}`)
}
