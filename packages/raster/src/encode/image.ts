import type { PixelBlock } from '../types.ts'
import { RasterFailure } from '../failures.ts'
import { interleaveBlock, isOpaque } from './interleave.ts'
import type { Interleaved } from './interleave.ts'
import { encodeJpeg } from './jpeg.ts'
import { encodePng } from './png.ts'
import { encodeWebp } from './webp.ts'

export type ImageFormat = 'png' | 'jpeg' | 'webp'

const MEDIA_TYPES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const
const PNG_KINDS = { 1: 'gray', 2: 'gray-alpha', 3: 'rgb', 4: 'rgba' } as const

/** The media type to send with an encoded picture. */
export function imageMediaType(format: ImageFormat): string {
  return MEDIA_TYPES[format]
}

/**
 * Encodes an 8-bit block of one to four bands (gray, gray and alpha, RGB, RGBA). Pixels that the mask leaves out are
 * transparent in PNG and WebP and white in JPEG; where nothing is left out PNG carries no alpha channel.
 *
 * @param mask one byte a pixel, 0 is invalid; null uses the block's own.
 * @param quality 1 to 100 for JPEG and WebP, default 75; PNG is lossless and ignores it.
 * @throws RasterFailure `request` when the block is not 8-bit, has more than four bands or cannot be held by the format.
 */
export function encodeImage(block: PixelBlock, mask: Uint8Array | null, format: ImageFormat, quality = 75): Uint8Array {
  if (!(block.data instanceof Uint8Array) || block.bands < 1 || block.bands > 4)
    throw new RasterFailure('request', 'a picture needs one to four bands of unsigned bytes')
  if (!(quality >= 1 && quality <= 100)) throw new RasterFailure('request', 'quality is a number from 1 to 100')
  const valid = mask ?? block.mask
  if (format === 'jpeg') return encodeJpeg(interleaveBlock(block, valid, false), Math.round(quality))
  const seeThrough = block.bands === 2 || block.bands === 4 || !isOpaque(valid)
  const picture = interleaveBlock(block, valid, seeThrough)
  if (format === 'webp') return encodeWebp(widenToRgba(picture), picture.width, picture.height, quality)
  const { width, height, data } = picture
  return encodePng({ width, height, kind: PNG_KINDS[picture.channels], data })
}

function widenToRgba({ width, height, channels, data }: Interleaved): Uint8Array {
  if (channels === 4) return data
  const rgba = new Uint8Array(width * height * 4)
  const colours = channels >= 3 ? 3 : 1
  for (let from = 0, to = 0; to < rgba.length; from += channels, to += 4) {
    rgba[to] = data[from]!
    rgba[to + 1] = data[from + (colours === 3 ? 1 : 0)]!
    rgba[to + 2] = data[from + (colours === 3 ? 2 : 0)]!
    rgba[to + 3] = channels === 2 ? data[from + 1]! : 255
  }
  return rgba
}
