import * as lerc from 'lerc'
import { RasterFailure } from '../../failures.ts'
import type { BlockShape } from './block-shape.ts'
import { decodeDeflate, decodeZstd } from './deflate.ts'

const sampleBits: Readonly<Record<string, number>> = {
  S8: 8,
  U8: 8,
  S16: 16,
  U16: 16,
  S32: 32,
  U32: 32,
  F32: 32,
  F64: 64,
}

/** LERC of a noisy image may be a little larger than its pixels. */
const spare_bytes = 65_536

export async function loadLercCodec(): Promise<void> {
  if (!lerc.isLoaded()) await lerc.load()
}

/**
 * Decodes a LERC blob (plain, or inside deflate or Zstandard) into samples, pixel after pixel. The size that the blob
 * claims is compared with the block before anything is decoded. Samples that LERC itself marks as missing become NaN
 * where samples are floating point, else 0, as libtiff does. Samples come in the byte order of the file: libtiff turns
 * them around before it packs them into a big-endian file.
 */
export function decodeLerc(bytes: Uint8Array, shape: BlockShape): Uint8Array {
  const blob = unwrap(bytes, shape)
  try {
    const info = lerc.getBlobInfo(blob)
    const samples = Math.max(1, info.depthCount) * Math.max(1, info.bandCount)
    if (
      info.width !== shape.width ||
      info.height < shape.height ||
      info.height > shape.mostHeight ||
      samples !== shape.samples
    ) {
      throw new RasterFailure(
        'damaged',
        `a part of the image (LERC) has ${info.width} × ${info.height} pixels, which are not those that the file says`,
      )
    }
    const decoded = lerc.decode(blob, { returnInterleaved: true })
    if (sampleBits[decoded.pixelType] !== shape.bitsPerSample) {
      throw new RasterFailure('damaged', 'a part of the image (LERC) holds samples of another type than the file says')
    }
    return joinBands(decoded)
  } catch (cause) {
    if (cause instanceof RasterFailure) throw cause
    throw new RasterFailure('damaged', 'a part of the image cannot be decoded (LERC)', { cause })
  }
}

function unwrap(bytes: Uint8Array, shape: BlockShape): Uint8Array {
  if (shape.lercWrapping === 0) return bytes
  const wrapped = { ...shape, leastBytes: 0, mostBytes: shape.mostBytes + spare_bytes }
  if (shape.lercWrapping === 1) return decodeDeflate(bytes, wrapped)
  if (shape.lercWrapping === 2) return decodeZstd(bytes, wrapped)
  throw new RasterFailure('unsupported', 'LERC inside a compression that is not known is not read')
}

// Several bands of a blob come one after the other; the samples of one pixel must come together.
function joinBands({ pixels, mask, bandMasks }: lerc.LercData): Uint8Array {
  for (const [band, values] of pixels.entries()) clearMissing(values, bandMasks?.[band] ?? mask)
  const first = pixels[0]!
  if (pixels.length === 1) return new Uint8Array(first.buffer, first.byteOffset, first.byteLength)
  const size = first.BYTES_PER_ELEMENT
  const output = new Uint8Array(first.byteLength * pixels.length)
  for (const [band, values] of pixels.entries()) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    for (let at = 0; at < values.length; at++) {
      output.set(bytes.subarray(at * size, at * size + size), (at * pixels.length + band) * size)
    }
  }
  return output
}

function clearMissing(values: lerc.PixelTypedArray, mask: Uint8Array | null): void {
  if (!mask) return
  const missing = values instanceof Float32Array || values instanceof Float64Array ? Number.NaN : 0
  const depth = values.length / mask.length
  for (let at = 0; at < values.length; at++) if (mask[Math.floor(at / depth)] === 0) values[at] = missing
}
