import type { Samples, SampleType } from '../types.ts'
import { SAMPLE_TYPES } from '../sample-types.ts'

/** Some full-width rows of an image, band after band. */
export interface Strip {
  readonly width: number
  rows: number
  readonly bands: number
  readonly data: Samples
  /** Samples from one band to the next; at least width × rows. */
  readonly bandStride: number
  /** One byte a pixel, 0 is invalid; null where validity lies in the samples alone. */
  readonly mask: Uint8Array | null
}

/** Cuts one tile out of a strip, channels of a pixel together, zeros beyond the image's edge. */
export function cutTile(strip: Strip, type: SampleType, column: number, block: number): Samples {
  const { bands, width, rows, data, bandStride } = strip
  const tile = SAMPLE_TYPES[type].allocate(block * block * bands)
  const x0 = column * block
  const columns = Math.min(block, width - x0)
  for (let band = 0; band < bands; band++) {
    for (let y = 0; y < rows; y++) {
      const from = band * bandStride + y * width + x0
      let to = y * block * bands + band
      if (bands === 1) tile.set(data.subarray(from, from + columns), to)
      else for (let x = 0; x < columns; x++, to += bands) tile[to] = data[from + x]!
    }
  }
  return tile
}

/** Cuts the mask of one tile: one bit a pixel, the first in the highest bit, 1 is valid. */
export function cutMaskTile(strip: Strip, column: number, block: number): Uint8Array {
  const rowBytes = block / 8
  const tile = new Uint8Array(rowBytes * block)
  const { mask, width, rows } = strip
  if (mask === null) return tile.fill(255)
  const x0 = column * block
  const columns = Math.min(block, width - x0)
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++)
      if (mask[y * width + x0 + x] !== 0) tile[y * rowBytes + (x >> 3)]! |= 0x80 >> (x & 7)
  return tile
}
