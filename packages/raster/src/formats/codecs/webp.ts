import createDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import { RasterFailure } from '../../failures.ts'
import { createWasmCodecLoader } from './wasm-module.ts'
import type { BlockShape } from './block-shape.ts'

type Decoder = Awaited<ReturnType<typeof createDecoder>>

const openDecoder = createWasmCodecLoader<Decoder>('@jsquash/webp/codec/dec/webp_dec.wasm', () => createDecoder)
let decoder: Decoder | null = null

/** Decodes a WebP block into three or four 8-bit samples a pixel; the size that it claims is checked first. */
export function decodeWebp(bytes: Uint8Array, shape: BlockShape): Uint8Array {
  if (shape.samples !== 3 && shape.samples !== 4) {
    throw new RasterFailure('unsupported', `WebP with ${shape.samples} bands is not read`)
  }
  const size = readWebpSize(bytes)
  if (!size || size.width !== shape.width || size.height < shape.height || size.height > shape.mostHeight) {
    throw new RasterFailure('damaged', 'a part of the image (WebP) does not have the size that the file says')
  }
  const own = (decoder ??= openDecoder())
  const image = attempt(() => own.decode(new Uint8Array(bytes)))
  if (image?.width !== shape.width) throw new RasterFailure('damaged', 'a part of the image cannot be decoded (WebP)')
  return shape.samples === 4 ? new Uint8Array(image.data) : dropAlpha(image.data)
}

function attempt<Answer>(decode: () => Answer): Answer | null {
  try {
    return decode()
  } catch {
    return null
  }
}

function dropAlpha(rgba: Uint8ClampedArray): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3)
  for (let from = 0, to = 0; from < rgba.length; from += 4) {
    rgb[to++] = rgba[from]!
    rgb[to++] = rgba[from + 1]!
    rgb[to++] = rgba[from + 2]!
  }
  return rgb
}

/**
 * The size that a WebP claims, else null. RFC 9649: a RIFF container whose first chunk says it, in one of three ways.
 */
export function readWebpSize(bytes: Uint8Array): { width: number; height: number } | null {
  if (bytes.length < 30) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunk = String.fromCharCode(...bytes.subarray(12, 16))
  if (chunk === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (chunk === 'VP8L') {
    const packed = view.getUint32(21, true)
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
  }
  if (chunk !== 'VP8X') return null
  const width = (view.getUint32(24, true) & 0xffffff) + 1
  return { width, height: (view.getUint16(27, true) | (bytes[29]! << 16)) + 1 }
}
