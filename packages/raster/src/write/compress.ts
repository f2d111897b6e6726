import { promisify } from 'node:util'
import { constants, deflate, zstdCompress } from 'node:zlib'

export type CogCompression = 'deflate' | 'zstd'

/** TIFF's number for each compression. */
export const COMPRESSION_CODES: Readonly<Record<CogCompression, number>> = { deflate: 8, zstd: 50_000 }

const deflateBytes = promisify(deflate)
const zstdBytes = promisify<Uint8Array, object, Buffer>(zstdCompress)

/** Turns the bytes of a tile into the bytes of a block, off the main thread. */
export type Compressor = (bytes: Uint8Array) => Promise<Uint8Array>

/**
 * @param runs true for photographs of bytes after differencing, where matching runs only is faster and packs better
 * than looking for repeated strings (deflate only).
 */
export function createCompressor(compression: CogCompression, level: number, runs: boolean): Compressor {
  if (compression === 'zstd') {
    const params = { [constants.ZSTD_c_compressionLevel]: level }
    return (bytes) => zstdBytes(bytes, { params })
  }
  const strategy = runs ? constants.Z_RLE : constants.Z_DEFAULT_STRATEGY
  return (bytes) => deflateBytes(bytes, { level, memLevel: 9, strategy, chunkSize: 262_144 })
}
