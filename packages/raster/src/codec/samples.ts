import { RasterFailure } from '../failures.ts'
import { SAMPLE_TYPES } from '../sample-types.ts'
import type { Level, Samples, SampleType } from '../types.ts'
import { reverseBits, reverseTriples, unpackBits, widenHalves } from './packed.ts'
import { swapBytes, undoPredictor2, undoPredictor3 } from './predictor.ts'
import type { BlockShape } from './block-shape.ts'
import type { Codec } from './registry.ts'

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
    if (level.predictor !== 1)
      throw new RasterFailure('unsupported', `a predictor over ${bits}-bit samples is not read`)
    const bytes = storage.reversedBits ? reverseBits(raw) : raw
    const ordered = bits === 24 && !storage.littleEndian ? reverseTriples(bytes) : bytes
    return unpackBits(ordered, bits, rowSamples, wholeSamples(bits, rowSamples * shape.height))
  }
  const sampleBytes = bits / 8
  const bytes = ownCopy(raw, shape)
  const swap = !storage.littleEndian && sampleBytes > 1
  if (level.predictor === 3) {
    if (sampleBytes === 1) throw new RasterFailure('unsupported', 'predictor 3 over bytes is not read')
    return finishFloats(undoPredictor3(bytes, sampleBytes, rowSamples, shape.samples), bits, type)
  }
  if (swap) swapBytes(bytes, sampleBytes)
  if (level.predictor === 2) undoPredictor2(bytes, sampleBytes, rowSamples, shape.samples)
  else if (level.predictor !== 1) throw new RasterFailure('unsupported', `predictor ${level.predictor} is not read`)
  return storage.sampleFormat === 3 ? finishFloats(bytes, bits, type) : viewSamples(bytes, type)
}

function finishFloats(bytes: Uint8Array, bits: number, type: SampleType): Samples {
  return bits === 16 ? widenHalves(new Uint16Array(bytes.buffer, bytes.byteOffset)) : viewSamples(bytes, type)
}

function wholeSamples(bits: number, count: number): Uint8Array | Uint16Array | Uint32Array {
  if (bits <= 8) return new Uint8Array(count)
  return bits <= 16 ? new Uint16Array(count) : new Uint32Array(count)
}

/** True where samples do not fill whole bytes. */
export function isPacked(bits: number): boolean {
  return bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64
}

// Decoded bytes may be a view into a read buffer that must not change, at an odd position that no wide view can begin at.
function ownCopy(raw: Uint8Array, shape: BlockShape): Uint8Array {
  return new Uint8Array(raw.subarray(0, shape.leastBytes))
}

// A view where the bytes begin on a whole sample, else a copy.
function viewSamples(bytes: Uint8Array, type: SampleType): Samples {
  const sampleBytes = SAMPLE_TYPES[type].bits / 8
  const aligned = bytes.byteOffset % sampleBytes === 0 ? bytes : new Uint8Array(bytes)
  return VIEWS[type](aligned.buffer, aligned.byteOffset, Math.floor(aligned.byteLength / sampleBytes))
}

const VIEWS: Readonly<Record<SampleType, (buffer: ArrayBufferLike, offset: number, length: number) => Samples>> = {
  uint8: (buffer, offset, length) => new Uint8Array(buffer, offset, length),
  int8: (buffer, offset, length) => new Int8Array(buffer, offset, length),
  uint16: (buffer, offset, length) => new Uint16Array(buffer, offset, length),
  int16: (buffer, offset, length) => new Int16Array(buffer, offset, length),
  uint32: (buffer, offset, length) => new Uint32Array(buffer, offset, length),
  int32: (buffer, offset, length) => new Int32Array(buffer, offset, length),
  float32: (buffer, offset, length) => new Float32Array(buffer, offset, length),
  float64: (buffer, offset, length) => new Float64Array(buffer, offset, length),
}
