import { RasterFailure } from '../../failures.ts'
import type { PixelBlock } from '../../types.ts'
import { encodeJpeg } from './jpeg.ts'
import { flattenOnWhite, isMaskOpaque, setRgbaAlpha, setGrayAlpha, widenToRgba } from './rendered-image.ts'
import type { RenderedImage } from './rendered-image.ts'
import { encodePng } from './png.ts'
import { encodeWebp } from './webp.ts'

export type ImageFormat = 'png' | 'jpeg' | 'webp'

const mediaTypes = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const

/** The media type of an encoded image. */
export function imageMediaType(format: ImageFormat): string {
  return mediaTypes[format]
}

/**
 * Encodes an image synchronously. Transparent pixels are white in JPEG, which has no alpha.
 *
 * @param quality 1 to 100 for JPEG and WebP; PNG is lossless and ignores it.
 * @throws RasterFailure `request` if the image is inconsistent or not supported by the format.
 */
export function encodeRenderedImage(renderedImage: RenderedImage, format: ImageFormat, quality = 75): Uint8Array {
  const { width, height } = renderedImage
  if (!(quality >= 1 && quality <= 100)) throw new RasterFailure('request', 'quality is a number from 1 to 100')
  if (format === 'png') return encodePng(renderedImage)
  if (format === 'webp') return encodeWebp(widenToRgba(renderedImage), width, height, quality)
  const { data, channels } = flattenOnWhite(renderedImage)
  return encodeJpeg(data, channels, width, height, Math.round(quality))
}

/**
 * Encodes an 8-bit block of one to four bands (gray, gray and alpha, RGB, RGBA). Pixels that the mask leaves out are
 * transparent in PNG and WebP and white in JPEG; where nothing is left out PNG carries no alpha channel.
 *
 * @param mask one byte a pixel, 0 is invalid; null uses the block's own.
 * @param quality 1 to 100 for JPEG and WebP, default 75.
 * @throws RasterFailure `request` when the block is not 8-bit, has more than four bands or cannot be held by the format.
 */
export function encodePixelBlockAsImage(
  block: PixelBlock,
  mask: Uint8Array | null,
  format: ImageFormat,
  quality = 75,
): Uint8Array {
  if (!(block.data instanceof Uint8Array) || block.bands < 1 || block.bands > 4)
    throw new RasterFailure('request', 'an image needs one to four bands of unsigned bytes')
  return encodeRenderedImage(toRenderedImage(block, block.data, mask ?? block.mask), format, quality)
}

function toRenderedImage({ width, height, bands }: PixelBlock, samples: Uint8Array, mask: Uint8Array): RenderedImage {
  const count = width * height
  const colours = bands >= 3 ? 3 : 1
  const withAlpha = bands === 2 || bands === 4 || !isMaskOpaque(mask)
  const channels = colours + (withAlpha ? 1 : 0)
  const data = new Uint8Array(count * channels)
  const put = (band: number): void => {
    for (let i = band * count, end = i + count, to = band; i < end; i++, to += channels) data[to] = samples[i]!
  }
  for (let band = 0; band < colours; band++) put(band)
  if (withAlpha) (colours === 3 ? setRgbaAlpha : setGrayAlpha)(data, mask)
  if (bands > colours) limitAlpha(data, channels, samples.subarray(colours * count), mask)
  const kind = colours === 3 ? (withAlpha ? 'rgba' : 'rgb') : withAlpha ? 'gray-alpha' : 'gray'
  return { width, height, kind, data }
}

/** Takes the alpha of the image's own band where the mask allows any. */
function limitAlpha(data: Uint8Array, channels: number, alphas: Uint8Array, mask: Uint8Array): void {
  for (let i = 0; i < mask.length; i++) if (mask[i] !== 0) data[(i + 1) * channels - 1] = alphas[i]!
}
