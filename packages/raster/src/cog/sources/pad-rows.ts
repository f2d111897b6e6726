import { sampleTypeProperties } from '../../sample-types.ts'
import type { PixelRows, SampleType } from '../../types.ts'
import type { GridRows } from './grid-reader.ts'

/** Whole rows of a grid. */
export interface GridRowShape {
  readonly width: number
  readonly top: number
  readonly rows: number
  readonly bands: number
  readonly type: SampleType
  readonly nodata: number | null
}

/** Pads the pixels of some rows of a grid to whole rows; the rest is nodata (0 without such a value) and masked. */
export function padRows(found: GridRows | null, shape: GridRowShape): PixelRows {
  const { width, top, rows, bands, type, nodata } = shape
  const data = sampleTypeProperties[type].allocate(width * rows * bands)
  const mask = new Uint8Array(width * rows)
  if (nodata !== null) data.fill(nodata)
  for (let row = 0; found !== null && row < found.pixels.rows; row++) {
    const { pixels } = found
    const from = row * pixels.width
    const to = (found.top - top + row) * width + found.left
    for (const [start, end] of findValidPixelRuns(pixels, from)) {
      data.set(pixels.data.subarray(start * bands, end * bands), (to + start - from) * bands)
      mask.fill(255, to + start - from, to + end - from)
    }
  }
  return { width, rows, bands, data, mask }
}

/** The stretches of valid pixels in the row that begins at pixel `from`. */
export function* findValidPixelRuns({ width, mask }: PixelRows, from: number): Generator<[start: number, end: number]> {
  if (mask === null) {
    yield [from, from + width]
    return
  }
  const row = mask.subarray(from, from + width)
  for (let start = row.indexOf(255); start >= 0;) {
    const hole = row.indexOf(0, start)
    const end = hole < 0 ? width : hole
    yield [from + start, from + end]
    start = hole < 0 ? -1 : row.indexOf(255, end)
  }
}
