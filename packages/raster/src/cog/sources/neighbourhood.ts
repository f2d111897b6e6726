import type { NodataRange } from '../../sample-types.ts'
import { findNodataRange } from '../../compute/window/validity.ts'
import type { PixelRows, Raster, SampleArray } from '../../types.ts'
import { createRowReader } from './row-reader.ts'

/** Values of one band of a few rows with one row more above and below; NaN where there is no value. */
export interface NeighbourhoodRows {
  readonly width: number
  /** Rows that are surrounded by others; `values` has two more. */
  readonly rows: number
  readonly values: Float64Array
}

/** Reads rows with their neighbours, good until the next call; asked from the top downwards, each row once. */
export type NeighbourhoodReader = (top: number, rows: number) => Promise<NeighbourhoodRows>

/**
 * Reads a band for functions of 3 × 3 pixels. Each row of the file is read once: the last two rows of an answer are the
 * first two of the next one. Outside of the image every value is NaN.
 *
 * @param band 0-based.
 */
export function createNeighbourhoodReader(
  raster: Raster,
  band: number,
  signal: AbortSignal | undefined,
): NeighbourhoodReader {
  const { width, height } = raster
  const read = createRowReader(raster, [band], [0, 0, width, height], signal)
  const { scale, offset } = raster.bands[band]!
  const meaning: SampleMeaning = { scale, offset, nodata: findNodataRange(raster) }
  let buffer = new Float64Array(0)
  let last = { top: 0, rows: 0 }
  return async (top, rows) => {
    const length = (rows + 2) * width
    const isContinued = last.rows > 0 && top === last.top + last.rows
    const tail = buffer.subarray(last.rows * width, (last.rows + 2) * width)
    // Memory that is used again is not cleared for each answer.
    const into = buffer.length >= length ? buffer : new Float64Array(length)
    if (isContinued) into.set(tail)
    buffer = into
    const values = into.subarray(0, length)
    const from = isContinued ? top + 1 : Math.max(0, top - 1)
    const to = Math.min(height, top + rows + 1)
    values.fill(Number.NaN, isContinued ? 2 * width : 0, (from - top + 1) * width)
    values.fill(Number.NaN, (to - top + 1) * width)
    if (to > from) place(await read(from, to - from), values.subarray((from - top + 1) * width), meaning)
    last = { top, rows }
    return { width, rows, values }
  }
}

interface SampleMeaning {
  readonly scale: number
  readonly offset: number
  readonly nodata: NodataRange | null
}

/** Each step is a loop of its own over what needs it: most files have neither nodata nor a scale. */
function place({ data, mask }: PixelRows, into: Float64Array, { scale, offset, nodata }: SampleMeaning): void {
  into.set(data)
  const { length } = data
  if (nodata && mayHold(data, nodata))
    for (let at = 0; at < length; at++)
      if (into[at]! >= nodata.lowest && into[at]! <= nodata.highest) into[at] = Number.NaN
  if (scale !== 1 || offset !== 0) for (let at = 0; at < length; at++) into[at] = into[at]! * scale + offset
  if (mask) for (let at = 0; at < length; at++) if (mask[at] === 0) into[at] = Number.NaN
}

/** False if no sample is nodata; one value is looked for without a loop of our own. */
const mayHold = (data: SampleArray, { lowest, highest }: NodataRange): boolean =>
  lowest !== highest || data.includes(lowest)
