import type { BlockShape } from '../../formats/codecs/block-shape.ts'
import { widenHalfFloats } from '../../formats/codecs/packed.ts'
import { decodeBlock, findCodec } from '../../formats/block-decoders.ts'
import type { BlockCodec } from '../../formats/block-decoders.ts'
import { hasPackedSamples, unpackSamples } from '../../formats/codecs/samples.ts'
import { RasterFailure } from '../../failures.ts'
import type { KernelAddress, Kernels } from '../kernels/types.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { RasterLevel, SampleType } from '../../types.ts'
import type { BlockRef } from './block-refs.ts'

/**
 * Decodes a block into the memory of the kernels: ready samples of the type, pixel after pixel, shape.height rows. The
 * caller gives the memory back. Fails with `damaged`, `unsupported` or `budget`.
 */
export function decodeBlockToMemory(
  kernels: Kernels,
  bytes: Uint8Array,
  ref: BlockRef,
  level: RasterLevel,
  type: SampleType,
): KernelAddress {
  const codec = findCodec(level.compression)
  const { shape } = ref
  const { bitsPerSample: bits, sampleFormat } = level.storage
  const count = shape.width * shape.height * shape.samples
  const at = decompress(kernels, codec, bytes, ref)
  if (codec.finished) return at
  if (hasPackedSamples(bits)) {
    const raw = new Uint8Array(kernels.memory.buffer, at, shape.leastBytes)
    return storeSamples(kernels, unpackSamples(raw, level, shape))
  }
  orderSamples(kernels, at, level, shape, bits / 8)
  if (bits !== 16 || sampleFormat !== 3) return at
  if (type !== 'float32') throw new RasterFailure('unsupported', `${type} is not made of half-precision numbers`)
  return storeSamples(kernels, widenHalfFloats(new Uint16Array(kernels.memory.buffer, at, count)))
}

/** The bytes of a block before they are samples, at least shape.leastBytes of them. */
function decompress(
  kernels: Kernels,
  codec: BlockCodec,
  bytes: Uint8Array,
  { length, shape }: BlockRef,
): KernelAddress {
  if (bytes.byteLength < length) throw new RasterFailure('damaged', 'the file is cut short: it ends inside its image')
  if (codec.name !== 'deflate') return placeBytes(kernels, decodeBlock(codec, bytes, shape))
  // Deflate is what most files use, and its bytes can come out where they are needed.
  const { byteLength } = bytes
  const from = placeBytes(kernels, bytes)
  const at = kernels.memory.reserve(shape.mostBytes)
  const found = kernels.inflate(at, shape.mostBytes, from, byteLength)
  if (found < shape.leastBytes) {
    throw new RasterFailure(
      'damaged',
      `a part of the image holds ${found} bytes where its pixels need ${shape.leastBytes}`,
    )
  }
  return at
}

/** Undoes byte order and predictor, in place. */
function orderSamples(
  kernels: Kernels,
  at: KernelAddress,
  level: RasterLevel,
  shape: BlockShape,
  sampleBytes: number,
): void {
  const rowSamples = shape.width * shape.samples
  const { predictor } = level
  if (predictor === 3) {
    if (sampleBytes === 1) throw new RasterFailure('unsupported', 'predictor 3 over bytes is not read')
    return kernels.decodePredictor3(at, shape.height, rowSamples, shape.samples, sampleBytes as 2 | 4 | 8)
  }
  if (!level.storage.littleEndian && sampleBytes > 1) {
    kernels.swapBytes(at, rowSamples * shape.height, sampleBytes as 2 | 4 | 8)
  }
  if (predictor === 2) {
    kernels.undoPredictor2(at, shape.height, rowSamples, shape.samples, sampleBytes as 1 | 2 | 4 | 8)
  } else if (predictor !== 1) throw new RasterFailure('unsupported', `predictor ${predictor} is not read`)
}

/** Decodes a block of a mask: one byte a pixel, 255 where the pixel is valid. */
export function decodeMaskToMemory(
  kernels: Kernels,
  bytes: Uint8Array,
  ref: BlockRef,
  level: RasterLevel,
): KernelAddress {
  const { width, height, samples } = ref.shape
  const { bitsPerSample, reversedBits } = level.storage
  const codec = findCodec(level.compression)
  if (bitsPerSample === 1 && samples === 1 && !reversedBits && !codec.finished && level.predictor === 1) {
    const from = decompress(kernels, codec, bytes, ref)
    const to = kernels.memory.reserve(width * height)
    kernels.expandBitsToBytes(to, from, height, width)
    return to
  }
  const at = decodeBlockToMemory(kernels, bytes, ref, level, 'uint8')
  const all = new Uint8Array(kernels.memory.buffer, at, width * height * samples)
  // In place: a pixel's first sample lies at or behind the place where its verdict goes.
  for (let pixel = 0; pixel < width * height; pixel++) all[pixel] = all[pixel * samples] === 0 ? 0 : 255
  return at
}

/** Bytes that a decoded block takes. */
export function computeDecodedBlockBytes({ shape }: BlockRef, type: SampleType): number {
  return (shape.width * shape.height * shape.samples * sampleTypeProperties[type].bits) / 8
}

function storeSamples(kernels: Kernels, samples: ArrayBufferView): KernelAddress {
  return placeBytes(kernels, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
}

/** Pointer to bytes in the memory of the kernels: the bytes themselves or a copy. To reserve more may detach the array itself. */
function placeBytes(kernels: Kernels, bytes: Uint8Array): KernelAddress {
  if (bytes.buffer === kernels.memory.buffer) return bytes.byteOffset
  const at = kernels.memory.reserve(bytes.byteLength)
  new Uint8Array(kernels.memory.buffer).set(bytes, at)
  return at
}
