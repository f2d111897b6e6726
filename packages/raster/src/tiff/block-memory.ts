import { decodeBlock, findCodec } from '../codec/registry.ts'
import { isPacked, samplesOfBlock } from '../codec/samples.ts'
import { RasterFailure } from '../failures.ts'
import type { Address, Kernels } from '../kernels/types.ts'
import { SAMPLE_TYPES } from '../sample-types.ts'
import type { Level, SampleType } from '../types.ts'
import type { BlockRef } from './block-refs.ts'

/**
 * Decodes a block into the memory of the kernels: ready samples of the type, pixel after pixel, shape.height rows. The
 * caller gives the memory back. Fails with `damaged`, `unsupported` or `budget`.
 */
export function decodeToMemory(
  kernels: Kernels,
  bytes: Uint8Array,
  ref: BlockRef,
  level: Level,
  type: SampleType,
): Address {
  if (bytes.byteLength < ref.length) throw new RasterFailure('damaged', 'the file ends inside a block')
  const codec = findCodec(level.compression)
  const raw = decodeBlock(codec, bytes, ref.shape)
  const { shape } = ref
  const { bitsPerSample: bits, sampleFormat, littleEndian } = level.storage
  const rowSamples = shape.width * shape.samples
  const count = rowSamples * shape.height
  if (codec.finished || isPacked(bits) || (bits === 16 && sampleFormat === 3)) {
    const samples = samplesOfBlock(raw, codec, level, type, shape)
    return storeBytes(kernels, new Uint8Array(samples.buffer, samples.byteOffset, count * samples.BYTES_PER_ELEMENT))
  }
  const sampleBytes = (bits / 8) as 1 | 2 | 4 | 8
  const at = storeBytes(kernels, raw.subarray(0, count * sampleBytes))
  if (level.predictor === 3) {
    if (sampleBytes === 1) throw new RasterFailure('unsupported', 'predictor 3 over bytes is not read')
    kernels.undoPredictor3(at, shape.height, rowSamples, shape.samples, sampleBytes)
    return at
  }
  if (!littleEndian && sampleBytes > 1) kernels.swapBytes(at, count, sampleBytes as 2 | 4 | 8)
  if (level.predictor === 2) kernels.undoPredictor2(at, shape.height, rowSamples, shape.samples, sampleBytes)
  else if (level.predictor !== 1) {
    throw new RasterFailure('unsupported', `predictor ${level.predictor} is not read`)
  }
  return at
}

/** Decodes a block of a mask: one byte a pixel, 255 where the pixel is valid. */
export function decodeMaskToMemory(kernels: Kernels, bytes: Uint8Array, ref: BlockRef, level: Level): Address {
  const { width, height, samples } = ref.shape
  const { bitsPerSample, reversedBits } = level.storage
  const codec = findCodec(level.compression)
  if (bitsPerSample === 1 && samples === 1 && !reversedBits && !codec.finished && level.predictor === 1) {
    if (bytes.byteLength < ref.length) throw new RasterFailure('damaged', 'the file ends inside a block')
    const from = storeBytes(kernels, decodeBlock(codec, bytes, ref.shape))
    const to = kernels.memory.reserve(width * height)
    kernels.spreadBits(to, from, height, width)
    return to
  }
  const at = decodeToMemory(kernels, bytes, ref, level, 'uint8')
  const all = new Uint8Array(kernels.memory.buffer, at, width * height * samples)
  // In place: a pixel's first sample lies at or behind the place where its verdict goes.
  for (let pixel = 0; pixel < width * height; pixel++) all[pixel] = all[pixel * samples] === 0 ? 0 : 255
  return at
}

/** Bytes that a decoded block takes. */
export function decodedBytes({ shape }: BlockRef, type: SampleType): number {
  return (shape.width * shape.height * shape.samples * SAMPLE_TYPES[type].bits) / 8
}

/** A copy of bytes in the memory of the kernels. */
export function storeBytes(kernels: Kernels, bytes: Uint8Array): Address {
  const at = kernels.memory.reserve(bytes.byteLength)
  new Uint8Array(kernels.memory.buffer).set(bytes, at)
  return at
}
