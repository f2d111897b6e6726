import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { constants, deflate, zstdCompress } from 'node:zlib'
import type { CogCompression, Packer, Packing } from './packing.ts'
import { createWebpPacker } from './webp-block.ts'

// A CommonJS addon whose names are set at run time: a named import cannot see them.
const turbo = createRequire(import.meta.url)('@julusian/jpeg-turbo') as typeof import('@julusian/jpeg-turbo')

interface CompressionFacts {
  /** TIFF's number for it. */
  readonly code: number
  readonly name: string
  /** Greatest effort that can be asked for. */
  readonly most: number
  readonly predicts: boolean
  /** For compressions that hold pictures of bytes only, how many bands these may have. */
  readonly pictures: readonly number[] | null
}

export const COMPRESSIONS: Readonly<Record<CogCompression, CompressionFacts>> = {
  none: { code: 1, name: 'an uncompressed file', most: 22, predicts: false, pictures: null },
  deflate: { code: 8, name: 'deflate', most: 9, predicts: true, pictures: null },
  zstd: { code: 50_000, name: 'Zstandard', most: 22, predicts: true, pictures: null },
  jpeg: { code: 7, name: 'JPEG', most: 22, predicts: false, pictures: [1, 3] },
  webp: { code: 50_001, name: 'WebP', most: 22, predicts: false, pictures: [3, 4] },
}

const PACKERS: Readonly<Record<CogCompression, (packing: Packing) => Packer>> = {
  none: () => async (bytes) => bytes.slice(),
  deflate: createDeflatePacker,
  zstd: createZstdPacker,
  jpeg: createJpegPacker,
  webp: createWebpPacker,
}

/** The packer of a compression. All but WebP work on the pool of the runtime, off this thread. */
export function createPacker(packing: Packing): Packer {
  return PACKERS[packing.compression](packing)
}

const deflateBytes = promisify(deflate)
const zstdBytes = promisify<Uint8Array, object, Buffer>(zstdCompress)

function createDeflatePacker({ level, runs }: Packing): Packer {
  const strategy = runs ? constants.Z_RLE : constants.Z_DEFAULT_STRATEGY
  // One piece of output, mostly: every further one costs a turn of the event loop and a copy.
  return (bytes) => deflateBytes(bytes, { level, memLevel: 9, strategy, chunkSize: pieceFor(bytes) })
}

function createZstdPacker({ level }: Packing): Packer {
  const params = { [constants.ZSTD_c_compressionLevel]: level }
  return (bytes) => zstdBytes(bytes, { params, chunkSize: pieceFor(bytes) })
}

function pieceFor(bytes: Uint8Array): number {
  return Math.max(1024, Math.ceil(bytes.length * 0.75))
}

/** Every block brings its own tables, so that it is a whole JPEG; colour as YCbCr with chroma at half resolution. */
function createJpegPacker({ block, channels, quality }: Packing): Packer {
  const gray = channels === 1
  const options = {
    width: block,
    height: block,
    format: gray ? turbo.FORMAT_GRAY : turbo.FORMAT_RGB,
    subsampling: gray ? turbo.SAMP_GRAY : turbo.SAMP_420,
    quality,
  }
  return (bytes) => turbo.compress(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), options)
}
