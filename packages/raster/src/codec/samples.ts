import { RasterFailure } from '../failures.ts'
import { SAMPLE_TYPES } from '../sample-types.ts'
import type { Level, Samples, SampleType } from '../types.ts'
import { reverseBits, unpackBits, widenHalves } from './packed.ts'
import { swapBytes, undoPredictor2, undoPredictor3 } from './predictor.ts'
import type { BlockShape, Codec } from './registry.ts'

/**
 * Turns the decompressed bytes of a block into samples, pixel after pixel: byte order, predictor and packed bits undone.
 * Answers at least width × height × samples of them.
 */
export function samplesOfBlock(
  raw: Uint8Array,
  codec: Codec,
  level: Level,
  type: SampleType,
  shape: BlockShape,
): Samples {
  if (codec.finished) return viewSamples(raw, type)
  const { storage } = level
  const bits = storage.bitsPerSample
  const rowSamples = shape.width * shape.samples
  if (isPacked(bits)) {
    if (level.predictor !== 1) throw new RasterFailure('unsupported', `a predictor over ${bits}-bit samples is not read`)
    const count = rowSamples * shape.height
    const bytes = storage.reversedBits ? reverseBits(raw) : raw
    return unpackBits(bytes, bits, rowSamples, bits <= 8 ? new Uint8Array(count) : new Uint16Array(count))
  }
  const sampleBytes = bits / 8
  const bytes = ownCopy(raw, shape)
  const swap = !storage.littleEndian && sampleBytes > 1
  if (level.predictor === 3) return viewSamples(undoPredictor3(bytes, sampleBytes, rowSamples, shape.samples), type)
  if (swap) swapBytes(bytes, sampleBytes)
  if (level.predictor === 2) undoPredictor2(bytes, sampleBytes, rowSamples, shape.samples)
  else if (level.predictor !== 1) throw new RasterFailure('unsupported', `predictor ${level.predictor} is not read`)
  if (bits === 16 && storage.sampleFormat === 3) return widenHalves(new Uint16Array(bytes.buffer, bytes.byteOffset))
  return viewSamples(bytes, type)
}

/** True where samples do not fill whole bytes. */
export function isPacked(bits: number): boolean {
  return bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64
}

// Decoded bytes may be a view into a read buffer that must not change, at an odd position that no wide view can begin at.
function ownCopy(raw: Uint8Array, shape: BlockShape): Uint8Array {
  return raw.slice(0, shape.leastBytes)
}

function viewSamples(bytes: Uint8Array, type: SampleType): Samples {
  const { bits, allocate } = SAMPLE_TYPES[type]
  if (type === 'uint8') return bytes
  const sampleBytes = bits / 8
  const count = Math.floor(bytes.byteLength / sampleBytes)
  const samples = allocate(count)
  new Uint8Array(samples.buffer).set(bytes.subarray(0, count * sampleBytes))
  return samples
}
