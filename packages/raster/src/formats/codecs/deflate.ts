import { inflateSync, zstdDecompressSync } from 'node:zlib'
import { RasterFailure } from '../../failures.ts'
import type { BlockShape } from './block-shape.ts'

// Deflate cannot make more than 1,032 bytes of one.
const max_deflate_ratio = 1032

/** Inflates a zlib stream of at most the block's size; a stream that holds more or is cut short is `damaged`. */
export function decodeDeflate(bytes: Uint8Array, shape: BlockShape): Uint8Array {
  if (bytes.byteLength * max_deflate_ratio < shape.leastBytes) throw tooShort()
  try {
    // One output buffer of the right size saves the copies that the default of 16 KiB pieces costs.
    return inflateSync(bytes, { chunkSize: Math.max(64, shape.mostBytes), maxOutputLength: shape.mostBytes })
  } catch (cause) {
    throw new RasterFailure('damaged', 'a part of the image cannot be decompressed (deflate)', { cause })
  }
}

/** Decompresses a Zstandard frame of at most the block's size. */
export function decodeZstd(bytes: Uint8Array, shape: BlockShape): Uint8Array {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: shape.mostBytes })
  } catch (cause) {
    throw new RasterFailure('damaged', 'a part of the image cannot be decompressed (Zstandard)', { cause })
  }
}

function tooShort(): RasterFailure {
  return new RasterFailure('damaged', 'a part of the image is too short for the pixels it should hold')
}
