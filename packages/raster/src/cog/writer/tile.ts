import { withKernels } from '../../compute/kernels/per-thread.ts'
import { viewSampleBytes } from './strip.ts'
import type { ImageStrip } from './strip.ts'

/** Shape and padding of the tiles that are cut out of strips. */
export interface TileShape {
  /** Side in pixels. */
  readonly block: number
  readonly sampleBytes: 1 | 2 | 4 | 8
  readonly predictor: 1 | 2 | 3
  /** Beyond the image's edge: its last pixels again, where a jump would blur the pixels inside; else zeros. */
  readonly repeatsEdge: boolean
}

/**
 * Cuts one tile out of a strip into `tile` (block × block pixels of all bands) and applies the predictor. Samples are
 * stored in the machine's order, little-endian wherever this runs, as the header says.
 */
export function cutTileFromStrip(strip: ImageStrip, column: number, shape: TileShape, tile: Uint8Array): void {
  if (shape.predictor === 1) return copyTile(strip, column, shape, tile)
  const { block, sampleBytes } = shape
  withKernels((kernels) => {
    const at = kernels.memory.reserve(tile.length)
    const bytes = new Uint8Array(kernels.memory.buffer, at, tile.length)
    copyTile(strip, column, shape, bytes)
    if (shape.predictor === 2) kernels.applyPredictor2(at, block, block * strip.bands, strip.bands, sampleBytes)
    else kernels.encodePredictor3(at, block, block * strip.bands, strip.bands, sampleBytes as 4 | 8)
    tile.set(new Uint8Array(kernels.memory.buffer, at, tile.length))
  })
}

function copyTile(strip: ImageStrip, column: number, shape: TileShape, tile: Uint8Array): void {
  const pixelBytes = strip.bands * shape.sampleBytes
  const rowBytes = shape.block * pixelBytes
  const left = column * rowBytes
  const used = Math.min(rowBytes, strip.width * pixelBytes - left)
  const source = viewSampleBytes(strip.data)
  for (let row = 0; row < strip.rows; row++) {
    const from = row * strip.width * pixelBytes + left
    const to = row * rowBytes
    tile.set(source.subarray(from, from + used), to)
    if (shape.repeatsEdge) repeatPixel(tile, to + used, to + rowBytes, pixelBytes)
    else tile.fill(0, to + used, to + rowBytes)
  }
  if (shape.repeatsEdge) repeatPixel(tile, strip.rows * rowBytes, tile.length, rowBytes)
  else tile.fill(0, strip.rows * rowBytes)
}

/** Fills a stretch with what lies right before it, again and again. */
function repeatPixel(bytes: Uint8Array, from: number, to: number, length: number): void {
  for (let at = from; at < to; at += length) bytes.copyWithin(at, at - length, at)
}

/**
 * True where a tile holds nothing: every sample's bytes are those of `empty` (a row of a tile) and no pixel is valid, where
 * a mask tells.
 */
export function isEmptyTile(strip: ImageStrip, column: number, block: number, empty: Buffer): boolean {
  const { mask, width, rows } = strip
  const left = column * block
  const columns = Math.min(block, width - left)
  const bytes = viewSampleBytes(strip.data)
  const samples = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pixelBytes = empty.length / block
  for (let row = 0; row < rows; row++) {
    const pixel = row * width + left
    const at = pixel * pixelBytes
    const length = columns * pixelBytes
    if (empty.compare(samples, at, at + length, 0, length) !== 0) return false
    if (mask !== null && mask.subarray(pixel, pixel + columns).some((valid) => valid !== 0)) return false
  }
  return true
}

/** Cuts the mask of one tile: one bit a pixel, the first in the highest bit, 1 is valid; all valid without a mask. */
export function cutMaskTile(strip: ImageStrip, column: number, block: number): Uint8Array {
  const rowBytes = block / 8
  const tile = new Uint8Array(rowBytes * block)
  const { mask, width, rows } = strip
  if (mask === null) return tile.fill(255)
  const left = column * block
  const columns = Math.min(block, width - left)
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++)
      if (mask[y * width + left + x] !== 0) tile[y * rowBytes + (x >> 3)]! |= 0x80 >> (x & 7)
  return tile
}
