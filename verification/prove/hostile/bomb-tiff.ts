import { constants, deflateSync } from 'node:zlib'
import { packHeader } from '../upload/seeded-tiff.ts'

const side = 32_768
const block_bytes = 16 * 1024 * 1024
/** The largest prime below 2^16 (RFC 1950, section 9). */
const adler_modulus = 65_521

/** A GeoTIFF of about a megabyte whose only strip is a gibibyte of zeros, compressed with Deflate. */
export function createBombTiff(): Uint8Array<ArrayBuffer> {
  const strip = compressZeros(side * side)
  const header = packHeader((begin) => [
    [256, 4, [side]],
    [257, 4, [side]],
    [258, 3, [8]],
    [259, 3, [8]],
    [262, 3, [1]],
    [273, 4, [begin]],
    [277, 3, [1]],
    [278, 4, [side]],
    [279, 4, [strip.length]],
    [33550, 12, [10, 10, 0]],
    [33922, 12, [0, 0, 0, 500_000, 5_600_000, 0]],
    [34735, 3, [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32632]],
  ])
  return new Uint8Array(Buffer.concat([header, strip]))
}

/** A zlib stream that repeats one compressed block: after a full flush a block does not refer to earlier ones. */
export function compressZeros(size: number): Buffer {
  const zeros = Buffer.alloc(block_bytes)
  const packed = deflateSync(zeros, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const block = packed.subarray(2)
  const end = Buffer.from([3, 0])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE((size % adler_modulus) * 65_536 + 1)
  const blocks = Array.from({ length: size / block_bytes }, () => block)
  return Buffer.concat([packed.subarray(0, 2), ...blocks, end, checksum])
}
