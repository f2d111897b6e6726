import { SAMPLE_TYPES } from '../../sample-types.ts'
import type { PixelRows, SampleType } from '../../types.ts'

/** Rows in which nothing is drawn: zeros, and a mask that says so. */
export function createRows(width: number, rows: number, bands: number, type: SampleType): PixelRows {
  const data = SAMPLE_TYPES[type].allocate(width * rows * bands)
  return { width, rows, bands, data, mask: new Uint8Array(width * rows) }
}

/** Puts a part where it belongs in rows of the same sample type and bands, which have a mask. */
export function putRows(into: PixelRows, part: PixelRows, left: number, top: number): void {
  for (let row = 0; row < part.rows; row++) {
    const from = row * part.width
    const to = (top + row) * into.width + left
    into.data.set(part.data.subarray(from * part.bands, (from + part.width) * part.bands), to * part.bands)
    if (part.mask) into.mask!.set(part.mask.subarray(from, from + part.width), to)
    else into.mask!.fill(255, to, to + part.width)
  }
}
