import { RasterFailure } from '../failures.ts'
import { decodeJpeg2000Tile } from './jpeg2000/tile.ts'
import type { BlockShape } from './codecs/block-shape.ts'
import { decodeDeflate, decodeZstd } from './codecs/deflate.ts'
import { decodeJpeg } from './codecs/jpeg.ts'
import { decodeLerc, loadLercCodec } from './codecs/lerc.ts'
import { decodeLzw } from './codecs/lzw.ts'
import { decodePackBits } from './codecs/packbits.ts'
import { decodeWebp } from './codecs/webp.ts'

export interface BlockCodec {
  readonly name: string
  /** True where the decoder answers finished samples: no predictor, bytes already in this machine's order. */
  readonly finished: boolean
  /** The only number of bits that its samples can have. */
  readonly bits?: number
  /** Loads the decoder before the first block. */
  readonly prepare?: () => Promise<void>
  readonly decode: (bytes: Uint8Array, shape: BlockShape) => Uint8Array
}

const codecsByCode: Readonly<Record<number, BlockCodec>> = {
  1: { name: 'none', finished: false, decode: (bytes) => bytes },
  5: { name: 'LZW', finished: false, decode: decodeLzw },
  7: { name: 'JPEG', finished: true, bits: 8, decode: decodeJpeg },
  8: { name: 'deflate', finished: false, decode: decodeDeflate },
  32773: { name: 'PackBits', finished: false, decode: decodePackBits },
  32946: { name: 'deflate', finished: false, decode: decodeDeflate },
  34712: { name: 'JPEG 2000', finished: true, decode: decodeJpeg2000Tile },
  34887: { name: 'LERC', finished: false, prepare: loadLercCodec, decode: decodeLerc },
  50000: { name: 'Zstandard', finished: false, decode: decodeZstd },
  50001: { name: 'WebP', finished: true, bits: 8, decode: decodeWebp },
}

const compressionNames: Readonly<Record<number, string>> = {
  2: 'CCITT run-length',
  3: 'CCITT fax 3',
  4: 'CCITT fax 4',
  6: 'the old JPEG form of TIFF 6.0',
  9: 'JBIG',
  10: 'JBIG',
  32766: 'NeXT run-length',
  32809: 'ThunderScan',
  32909: 'Pixar log',
  34661: 'JBIG',
  34676: 'SGI log',
  34677: 'SGI log in 24 bits',
  34892: 'lossy JPEG of DNG',
  34925: 'LZMA',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
}

/** The codec of a TIFF compression code, or an `unsupported` failure that names it. */
export function findCodec(compression: number): BlockCodec {
  const codec = codecsByCode[compression]
  if (codec) return codec
  const name = compressionNames[compression] ?? `code ${compression}`
  throw new RasterFailure('unsupported', `compression by ${name} is not read`)
}

/** Decodes a block and checks that it holds at least as many bytes as its shape requires. */
export function decodeBlock(codec: BlockCodec, bytes: Uint8Array, shape: BlockShape): Uint8Array {
  if (codec.bits !== undefined && codec.bits !== shape.bitsPerSample) {
    throw new RasterFailure(
      'damaged',
      `compression by ${codec.name} is for samples of ${codec.bits} bits, and those of the file have ${shape.bitsPerSample}`,
    )
  }
  const raw = codec.decode(bytes, shape)
  if (raw.byteLength < shape.leastBytes) {
    throw new RasterFailure(
      'damaged',
      `a part of the image, compressed as ${codec.name}, holds ${raw.byteLength} bytes where its pixels need ${shape.leastBytes}`,
    )
  }
  return raw
}
