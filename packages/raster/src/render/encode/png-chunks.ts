import { crc32 } from 'node:zlib'

/** The first bytes of a PNG (ISO/IEC 15948, 5.2). */
export const pngSignature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** A chunk with its length, name and checksum. */
export function buildPngChunk(name: string, body: Uint8Array): Buffer {
  const chunk = Buffer.allocUnsafeSlow(body.length + 12)
  chunk.writeUInt32BE(body.length, 0)
  chunk.write(name, 4, 'latin1')
  chunk.set(body, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, body.length + 8)), body.length + 8)
  return chunk
}

/** The chunk IHDR of a PNG that is not interlaced. */
export function buildPngHeaderChunk(width: number, height: number, bits: number, colourType: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = bits
  header[9] = colourType
  return buildPngChunk('IHDR', header)
}
