import { createRequire } from 'node:module'
import { RasterFailure } from '../../failures.ts'

// A CommonJS addon whose names are set at run time: a named import cannot see them.
export const jpegTurboCodec = createRequire(import.meta.url)(
  '@julusian/jpeg-turbo',
) as typeof import('@julusian/jpeg-turbo')

const max_side = 65_500
/** Memory for larger images is not reused. */
const kept_bytes = 4_194_304

let buffer = Buffer.alloc(0)

/**
 * Encodes a baseline JPEG with libjpeg-turbo: gray, or colour with chroma at half resolution.
 *
 * @param data 1 byte a pixel for gray, 3 for RGB, rows from the top.
 * @param quality 1 to 100.
 * @throws RasterFailure `request` for a size that JPEG cannot hold.
 */
export function encodeJpeg(
  data: Uint8Array,
  channels: 1 | 3,
  width: number,
  height: number,
  quality: number,
): Uint8Array {
  if (Math.max(width, height) > max_side || Math.min(width, height) < 1)
    throw new RasterFailure('request', `a JPEG of ${width}×${height} pixels cannot be encoded`)
  const options = chooseJpegOptions(channels, width, height, quality)
  const from = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return Uint8Array.from(jpegTurboCodec.compressSync(from, bufferFor(jpegTurboCodec.bufferSize(options)), options))
}

/** Colour as YCbCr with chroma at half resolution. */
export function chooseJpegOptions(channels: number, width: number, height: number, quality: number) {
  const [format, subsampling] =
    channels === 1
      ? [jpegTurboCodec.FORMAT_GRAY, jpegTurboCodec.SAMP_GRAY]
      : [jpegTurboCodec.FORMAT_RGB, jpegTurboCodec.SAMP_420]
  return { width, height, format, subsampling, quality }
}

function bufferFor(bytes: number): Buffer {
  if (bytes <= buffer.length) return buffer
  const larger = Buffer.allocUnsafeSlow(bytes)
  if (bytes <= kept_bytes) buffer = larger
  return larger
}
