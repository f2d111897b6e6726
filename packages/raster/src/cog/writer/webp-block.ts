import { encodeRgba } from '../../render/encode/webp.ts'
import { RasterFailure } from '../../failures.ts'
import type { Packer, Packing } from './packing.ts'

/**
 * Packs blocks of red, green, blue and perhaps alpha as WebP, on this thread. Lossless keeps the colours of transparent
 * pixels too.
 */
export function createWebpPacker({ block, channels, quality, lossless }: Packing): Packer {
  const options = { quality, ...(lossless ? { lossless: 1, exact: 1, method: 0 } : {}) }
  return async (bytes) => {
    const rgba = channels === 4 ? new Uint8ClampedArray(bytes) : withAlpha(bytes)
    const packed = encodeRgba(rgba, block, block, options)
    if (!packed) throw new RasterFailure('write', 'a block could not be packed as WebP')
    return [packed]
  }
}

function withAlpha(rgb: Uint8Array): Uint8ClampedArray {
  const rgba = new Uint8ClampedArray((rgb.length / 3) * 4)
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    rgba[to] = rgb[from]!
    rgba[to + 1] = rgb[from + 1]!
    rgba[to + 2] = rgb[from + 2]!
    rgba[to + 3] = 255
  }
  return rgba
}
