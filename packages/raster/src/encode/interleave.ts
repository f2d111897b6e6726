import type { PixelBlock } from '../types.ts'

/** Eight-bit samples in picture order: all channels of a pixel together, rows from the top. */
export interface Interleaved {
  readonly width: number
  readonly height: number
  readonly channels: 1 | 2 | 3 | 4
  readonly data: Uint8Array
}

/** True where every pixel is valid, so that an alpha channel would carry nothing. */
export function isOpaque(mask: Uint8Array): boolean {
  for (let i = 0; i < mask.length; i++) if (mask[i] === 0) return false
  return true
}

/**
 * Puts a planar 8-bit block in picture order. One band gives gray, three give colour; a second or fourth band is taken
 * as alpha. With `withAlpha` an alpha channel is added from the mask and invalid pixels are 0; without it they are white.
 * In either case the same valid pixels give the same bytes.
 */
export function interleaveBlock(block: PixelBlock, mask: Uint8Array, withAlpha: boolean): Interleaved {
  const count = block.width * block.height
  const colours = block.bands >= 3 ? 3 : 1
  const ownAlpha = block.bands === 2 || block.bands === 4 ? colours * count : -1
  const channels = (colours + (withAlpha ? 1 : 0)) as 1 | 2 | 3 | 4
  const source = block.data
  const data = new Uint8Array(count * channels).fill(withAlpha ? 0 : 255)
  for (let pixel = 0, at = 0; pixel < count; pixel++, at += channels) {
    if (mask[pixel] === 0) continue
    for (let c = 0; c < colours; c++) data[at + c] = source[c * count + pixel]!
    if (withAlpha) data[at + colours] = ownAlpha < 0 ? 255 : source[ownAlpha + pixel]!
  }
  return { width: block.width, height: block.height, channels, data }
}
