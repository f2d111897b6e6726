import { inflateSync } from 'node:zlib'
import { RasterFailure } from '../../failures.ts'

/** Samples of 8 bits, interleaved by pixel: gray, gray and alpha, RGB, or RGBA. */
export interface DecodedPngPixels {
  readonly width: number
  readonly height: number
  readonly channels: 1 | 2 | 3 | 4
  readonly data: Uint8Array
}

interface PngHeader {
  readonly width: number
  readonly height: number
  readonly bits: number
  readonly colourType: number
  readonly isInterlaced: boolean
}

interface PngChunks {
  readonly header: PngHeader
  readonly palette: Uint8Array
  /** Alpha values of palette entries. */
  readonly alphas: Uint8Array
  readonly packed: Uint8Array
}

const signature_bytes = 8
/** Length, name and checksum around the body of a chunk. */
const chunk_frame_bytes = 12
const palette_colour_type = 3
const samplesByColourType: Readonly<Record<number, 1 | 2 | 3 | 4>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * Decodes a PNG (ISO/IEC 15948) that is not interlaced; of samples of 16 bits the upper 8. Colour keys and gamma are
 * not applied. Nothing is inflated before the size in the header has been checked.
 *
 * @param max_pixels more are a `budget` failure.
 * @throws RasterFailure `damaged`, `unsupported` or `budget`.
 */
export function decodePng(bytes: Uint8Array, max_pixels: number): DecodedPngPixels {
  const chunks = readChunks(bytes)
  const { width, height, bits, colourType, isInterlaced } = chunks.header
  const samples = samplesByColourType[colourType]
  if (!samples || ![1, 2, 4, 8, 16].includes(bits) || width === 0 || height === 0) throw damaged()
  if (bits < 8 && samples > 1) throw damaged()
  if (isInterlaced) throw new RasterFailure('unsupported', 'an interlaced PNG is not read')
  if (width * height > max_pixels)
    throw new RasterFailure('budget', `an image of ${width} × ${height} pixels; ${max_pixels} are allowed`)
  const rowBytes = Math.ceil((width * samples * bits) / 8)
  const rows = inflate(chunks.packed, (rowBytes + 1) * height)
  removeFilters(rows, { rowBytes, height, pixelBytes: Math.max(1, (samples * bits) / 8) })
  const data = toBytes(rows, { width, height, samples, bits, rowBytes, isIndex: colourType === palette_colour_type })
  if (colourType !== palette_colour_type) return { width, height, channels: samples, data }
  return { width, height, channels: 4, data: applyPalette(data, chunks) }
}

const damaged = (): RasterFailure => new RasterFailure('damaged', 'the PNG cannot be decoded')

function readChunks(bytes: Uint8Array): PngChunks {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Buffer[] = []
  let header: PngHeader | null = null
  let palette: Buffer = Buffer.alloc(0)
  let alphas: Buffer = Buffer.alloc(0)
  for (let at = signature_bytes; at + chunk_frame_bytes <= file.length;) {
    const length = file.readUInt32BE(at)
    const name = file.toString('latin1', at + 4, at + 8)
    const body = file.subarray(at + 8, at + 8 + length)
    if (body.length < length) throw damaged()
    if (name === 'IHDR') header = readHeader(body)
    if (name === 'PLTE') palette = body
    if (name === 'tRNS') alphas = body
    if (name === 'IDAT') parts.push(body)
    if (name === 'IEND') break
    at += length + chunk_frame_bytes
  }
  if (!header || parts.length === 0) throw damaged()
  return { header, palette, alphas, packed: Buffer.concat(parts) }
}

function readHeader(body: Buffer): PngHeader {
  if (body.length !== 13) throw damaged()
  return {
    width: body.readUInt32BE(0),
    height: body.readUInt32BE(4),
    bits: body[8]!,
    colourType: body[9]!,
    isInterlaced: body[12] !== 0,
  }
}

function inflate(packed: Uint8Array, length: number): Uint8Array {
  try {
    const rows = inflateSync(packed, { maxOutputLength: length })
    if (rows.length === length) return rows
  } catch {
    // Reported below, like rows that are too short.
  }
  throw damaged()
}

interface RowLayout {
  readonly rowBytes: number
  readonly height: number
  /** From a byte to the same byte of the pixel before it. */
  readonly pixelBytes: number
}

/** Undoes the filter of each row in place; the byte of the filter stays in front of its row. */
function removeFilters(rows: Uint8Array, { rowBytes, height, pixelBytes }: RowLayout): void {
  const stride = rowBytes + 1
  for (let row = 0; row < height; row++) {
    const start = row * stride + 1
    const filter = rows[start - 1]!
    if (filter > 4) throw damaged()
    if (filter === 0) continue
    for (let at = start; at < start + rowBytes; at++) {
      const hasLeft = at - start >= pixelBytes
      const left = hasLeft ? rows[at - pixelBytes]! : 0
      const above = row > 0 ? rows[at - stride]! : 0
      const corner = hasLeft && row > 0 ? rows[at - stride - pixelBytes]! : 0
      rows[at]! += predict(filter, left, above, corner)
    }
  }
}

function predict(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? above : corner
}

interface SampleLayout {
  readonly width: number
  readonly height: number
  readonly samples: number
  readonly bits: number
  readonly rowBytes: number
  /** Indices stay what they are; gray is widened to 0 to 255. */
  readonly isIndex: boolean
}

function toBytes(rows: Uint8Array, { width, height, samples, bits, rowBytes, isIndex }: SampleLayout): Uint8Array {
  const rowSamples = width * samples
  const out = new Uint8Array(rowSamples * height)
  const most = 2 ** bits - 1
  for (let row = 0, to = 0; row < height; row++) {
    const start = row * (rowBytes + 1) + 1
    for (let sample = 0; sample < rowSamples; sample++, to++) {
      if (bits >= 8) out[to] = rows[start + sample * (bits / 8)]!
      else {
        const bit = sample * bits
        const value = (rows[start + (bit >> 3)]! >> (8 - bits - (bit & 7))) & most
        out[to] = isIndex ? value : Math.round((value * 255) / most)
      }
    }
  }
  return out
}

/** Entries without an alpha value are opaque; an index beyond the palette is black. */
function applyPalette(indices: Uint8Array, { palette, alphas }: PngChunks): Uint8Array {
  const out = new Uint8Array(indices.length * 4)
  for (let at = 0; at < indices.length; at++) {
    const index = indices[at]!
    for (let channel = 0; channel < 3; channel++) out[at * 4 + channel] = palette[index * 3 + channel] ?? 0
    out[at * 4 + 3] = alphas[index] ?? 255
  }
  return out
}
