import { isNodata, NOTHING } from '../../sample-types.ts'
import { nodataOf } from '../../compute/window/validity.ts'
import type { PixelRows, Raster } from '../../types.ts'
import { createRowReader } from './row-reader.ts'

/** Values of one band of a few rows with one row more above and below; NaN where there is no value. */
export interface NeighbourhoodRows {
  readonly width: number
  /** Rows that are surrounded by others; `values` has two more. */
  readonly rows: number
  readonly values: Float64Array
}

/** Reads rows with their neighbours; asked from the top downwards, each row once. */
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
  const missing = nodataOf(raster) ?? NOTHING
  const toValue = (sample: number): number => (isNodata(sample, missing) ? Number.NaN : sample * scale + offset)
  let tail = new Float64Array(0)
  let next = 0
  return async (top, rows) => {
    const values = new Float64Array((rows + 2) * width).fill(Number.NaN)
    const isContinued = top > 0 && tail.length === 2 * width && next === top + 1
    if (isContinued) values.set(tail)
    const from = isContinued ? next : Math.max(0, top - 1)
    const to = Math.min(height, top + rows + 1)
    if (to > from) place(await read(from, to - from), values, (from - top + 1) * width, toValue)
    tail = values.slice(rows * width)
    next = to
    return { width, rows, values }
  }
}

function place(
  { data, mask }: PixelRows,
  into: Float64Array,
  begin: number,
  toValue: (sample: number) => number,
): void {
  for (let at = 0; at < data.length; at++)
    into[begin + at] = mask !== null && mask[at] === 0 ? Number.NaN : toValue(data[at]!)
}
