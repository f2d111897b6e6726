import { RasterFailure } from '../../failures.ts'
import type { RasterLevel } from '../../types.ts'
import type { BlockShape } from './block-shape.ts'
import { reverseBitsOfBytes, swapThreeByteSamples, unpackBitSamples } from './packed.ts'

/** Samples that do not fill whole bytes, or three of them, as whole ones, pixel after pixel. */
export function unpackSamples(
  raw: Uint8Array,
  { storage, predictor }: RasterLevel,
  shape: BlockShape,
): Uint8Array | Uint16Array | Uint32Array {
  const { bitsPerSample: bits, littleEndian, reversedBits } = storage
  if (predictor !== 1) throw new RasterFailure('unsupported', `a predictor over ${bits}-bit samples is not read`)
  const bytes = reversedBits ? reverseBitsOfBytes(raw) : raw
  const ordered = bits === 24 && !littleEndian ? swapThreeByteSamples(bytes) : bytes
  const rowSamples = shape.width * shape.samples
  return unpackBitSamples(ordered, bits, rowSamples, wholeSamples(bits, rowSamples * shape.height))
}

function wholeSamples(bits: number, count: number): Uint8Array | Uint16Array | Uint32Array {
  if (bits <= 8) return new Uint8Array(count)
  return bits <= 16 ? new Uint16Array(count) : new Uint32Array(count)
}

/** True where samples do not fill whole bytes. */
export function hasPackedSamples(bits: number): boolean {
  return bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64
}
