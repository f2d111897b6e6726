import { createRequire } from 'node:module'
import type { Interleaved } from './interleave.ts'
import { RasterFailure } from '../failures.ts'

// A CommonJS addon whose names are set at run time: a named import cannot see them.
const turbo = createRequire(import.meta.url)('@julusian/jpeg-turbo') as typeof import('@julusian/jpeg-turbo')

const LONGEST_SIDE = 65_500

/**
 * Encodes a baseline JPEG with libjpeg-turbo: gray, or colour with chroma at half resolution.
 *
 * @param quality 1 to 100.
 * @throws RasterFailure `request` for an alpha channel or a size that JPEG cannot hold.
 */
export function encodeJpeg(picture: Interleaved, quality: number): Uint8Array {
  const { width, height, channels, data } = picture
  if (channels === 2 || channels === 4) throw new RasterFailure('request', 'a JPEG has no alpha channel')
  if (Math.max(width, height) > LONGEST_SIDE || Math.min(width, height) < 1)
    throw new RasterFailure('request', `a JPEG of ${width}×${height} pixels cannot be encoded`)
  const gray = channels === 1
  return turbo.compressSync(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
    width,
    height,
    format: gray ? turbo.FORMAT_GRAY : turbo.FORMAT_RGB,
    subsampling: gray ? turbo.SAMP_GRAY : turbo.SAMP_420,
    quality,
  })
}
