import createEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { RasterFailure } from '../../failures.ts'
import { createWasmCodecLoader } from '../../formats/codecs/wasm-module.ts'

const max_side = 16_383

type Encoder = Awaited<ReturnType<typeof createEncoder>>

const openEncoder = createWasmCodecLoader<Encoder>('@jsquash/webp/codec/enc/webp_enc_simd.wasm', () => createEncoder)
let encoder: Encoder | null = null

/** Encodes pixels of four bytes with these options of the codec, once compiled for each thread; null where it cannot. */
export function encodeRgbaAsWebp(
  rgba: Uint8ClampedArray,
  width: number,
  height: number,
  options: Partial<typeof defaultOptions>,
): Uint8Array | null {
  encoder ??= openEncoder()
  return encoder.encode(rgba, width, height, { ...defaultOptions, ...options })?.slice() ?? null
}

/**
 * Encodes a lossy WebP with lossless alpha; method 0, the fastest.
 *
 * @param rgba four bytes a pixel, rows from the top.
 * @param quality 1 to 100.
 * @throws RasterFailure `request` for a size that WebP cannot hold.
 */
export function encodeWebp(rgba: Uint8Array, width: number, height: number, quality: number): Uint8Array {
  if (Math.max(width, height) > max_side || Math.min(width, height) < 1)
    throw new RasterFailure('request', `a WebP of ${width}×${height} pixels cannot be encoded`)
  const pixels = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength)
  const encoded = encodeRgbaAsWebp(pixels, width, height, { quality, method: 0 })
  if (!encoded) throw new RasterFailure('request', 'the image could not be encoded as WebP')
  return encoded
}
