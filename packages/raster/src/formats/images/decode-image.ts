import { RasterFailure } from '../../failures.ts'
import type { PixelBlock } from '../../types.ts'
import type { BlockShape } from '../codecs/block-shape.ts'
import { decodeJpeg, readJpegFrame } from '../codecs/jpeg.ts'
import { decodeWebp, readWebpSize } from '../codecs/webp.ts'
import { decodePng, type DecodedPngPixels } from './decode-png.ts'

export interface DecodeImageRequest {
  /** A whole file. */
  readonly bytes: Uint8Array
  /** More pixels are a `budget` failure; nothing is decoded then. */
  readonly max_pixels: number
}

/**
 * Decodes a JPEG, PNG or WebP by its first bytes into red, green and blue of 8 bits, band after band. Transparent pixels are
 * invalid; gray is all three bands.
 *
 * @throws RasterFailure `not_raster` for other bytes, `damaged`, `unsupported` (interlaced PNG, JPEG of four components) or
 * `budget`.
 */
export async function decodeImage({ bytes, max_pixels }: DecodeImageRequest): Promise<PixelBlock> {
  return toPixelBlock(decode(bytes, max_pixels))
}

function decode(bytes: Uint8Array, max_pixels: number): DecodedPngPixels {
  const begins = (...expected: readonly number[]): boolean => expected.every((byte, index) => bytes[index] === byte)
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return decodePng(bytes, max_pixels)
  if (begins(0xff, 0xd8, 0xff)) return decodeWholeJpeg(bytes, max_pixels)
  if (begins(0x52, 0x49, 0x46, 0x46)) return decodeWholeWebp(bytes, max_pixels)
  throw new RasterFailure('not_raster', 'the image is neither a JPEG nor a PNG nor a WebP')
}

function decodeWholeJpeg(bytes: Uint8Array, max_pixels: number): DecodedPngPixels {
  const { width, height, components } = readJpegFrame(bytes)
  if (components !== 1 && components !== 3)
    throw new RasterFailure('unsupported', `a JPEG with ${components} colours is not read`)
  const shape = shapeOf({ width, height }, components, max_pixels)
  return { width, height, channels: components, data: decodeJpeg(bytes, shape) }
}

function decodeWholeWebp(bytes: Uint8Array, max_pixels: number): DecodedPngPixels {
  const size = readWebpSize(bytes)
  if (!size) throw new RasterFailure('damaged', 'the WebP cannot be decoded')
  return { ...size, channels: 4, data: decodeWebp(bytes, shapeOf(size, 4, max_pixels)) }
}

/** The image as one block, whose size is the one that it claims. */
function shapeOf(
  { width, height }: { readonly width: number; readonly height: number },
  samples: number,
  max_pixels: number,
): BlockShape {
  const pixels = width * height
  if (pixels === 0) throw new RasterFailure('damaged', 'the image has no pixels')
  if (pixels > max_pixels)
    throw new RasterFailure('budget', `an image of ${width} × ${height} pixels; ${max_pixels} are allowed`)
  return {
    width,
    height,
    mostHeight: height,
    samples,
    bitsPerSample: 8,
    leastBytes: pixels * samples,
    mostBytes: pixels * samples,
    jpegTables: null,
    lercWrapping: 0,
    exact: false,
  }
}

function toPixelBlock({ width, height, channels, data }: DecodedPngPixels): PixelBlock {
  const count = width * height
  const colours = channels >= 3 ? 3 : 1
  const samples = new Uint8Array(count * 3)
  const mask = new Uint8Array(count).fill(255)
  for (let pixel = 0; pixel < count; pixel++) {
    const from = pixel * channels
    for (let band = 0; band < 3; band++) samples[band * count + pixel] = data[from + (band % colours)]!
    if (channels % 2 === 0 && data[from + channels - 1] === 0) mask[pixel] = 0
  }
  return { width, height, bands: 3, data: samples, mask }
}
