import { RasterFailure } from '../../failures.ts'
import type { TiffHeaderReader } from '../tiff/header-reader.ts'

/** Sizes of image and tiles on the reference grid (ISO 15444-1, A.5.1): right and bottom edges are not inside. */
export interface Jpeg2000ImageGrid {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly tileLeft: number
  readonly tileTop: number
  readonly tileWidth: number
  readonly tileHeight: number
  readonly columns: number
  readonly rows: number
  readonly components: number
  readonly bits: number
  readonly signed: boolean
}

/** Code-block sizes of one component, which determine the cost of decoding. */
export interface Jpeg2000CodingStyle {
  /** Wavelet levels: the image can be had at 1/2, 1/4 … 1/2^levels. */
  readonly levels: number
  /** Exponents of two. */
  readonly blockWidth: number
  readonly blockHeight: number
  /** Exponents of two, from the smallest resolution to the full one. */
  readonly precincts: readonly (readonly [width: number, height: number])[]
}

export interface Jpeg2000MainHeader {
  readonly grid: Jpeg2000ImageGrid
  readonly layers: number
  /** True where the first three bands are coded as mixtures of each other. */
  readonly mixed: boolean
  readonly styles: readonly Jpeg2000CodingStyle[]
  /** Lengths of all parts of tiles, where the file lists them, with the tile that each belongs to. */
  readonly tileParts: readonly { readonly tile: number; readonly length: number }[] | null
  /** From the start of the codestream to the first tile, without markers that one tile alone does not need. */
  readonly bytes: Uint8Array
  /** Bytes of the header in the file. */
  readonly length: number
}

export const jpeg2000MarkerCodes = {
  startOfCodestream: 0xff4f,
  size: 0xff51,
  codingDefault: 0xff52,
  codingComponent: 0xff53,
  tilePartLengths: 0xff55,
  packetLengths: 0xff57,
  packedHeaders: 0xff60,
  registration: 0xff63,
  comment: 0xff64,
  startOfTilePart: 0xff90,
  startOfData: 0xff93,
  endOfCodestream: 0xffd9,
} as const

const max_header_bytes = 4_194_304
const max_tiles = 65_535
const max_components = 256
const leftOut: ReadonlySet<number> = new Set([
  jpeg2000MarkerCodes.tilePartLengths,
  jpeg2000MarkerCodes.packetLengths,
  jpeg2000MarkerCodes.registration,
  jpeg2000MarkerCodes.comment,
])

interface Segment {
  readonly marker: number
  readonly view: DataView
}

/** Reads the main header of a codestream that begins at `offset`; fails with `damaged`, `unsupported` or `budget`. */
export async function readJpeg2000MainHeader(reader: TiffHeaderReader, offset: number): Promise<Jpeg2000MainHeader> {
  const start = await reader.read(offset, 2)
  if (start.getUint16(0) !== jpeg2000MarkerCodes.startOfCodestream) throw createDamagedHeaderFailure()
  const segments: Segment[] = []
  let at = offset + 2
  for (;;) {
    const head = await reader.read(at, 4)
    const marker = head.getUint16(0)
    if (marker === jpeg2000MarkerCodes.startOfTilePart) break
    const length = head.getUint16(2)
    if (marker < 0xff4f || length < 2 || at - offset > max_header_bytes) throw createDamagedHeaderFailure()
    segments.push({ marker, view: await reader.read(at, length + 2) })
    at += length + 2
  }
  return parseHeader(segments, at - offset)
}

/** Reads a main header that is at hand. */
export function parseJpeg2000MainHeader(bytes: Uint8Array): Jpeg2000MainHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const segments: Segment[] = []
  let at = 2
  while (at + 4 <= bytes.length && view.getUint16(at) !== jpeg2000MarkerCodes.startOfTilePart) {
    const length = view.getUint16(at + 2)
    if (length < 2 || at + 2 + length > bytes.length) throw createDamagedHeaderFailure()
    segments.push({ marker: view.getUint16(at), view: new DataView(bytes.buffer, bytes.byteOffset + at, length + 2) })
    at += length + 2
  }
  return parseHeader(segments, at)
}

function parseHeader(segments: readonly Segment[], length: number): Jpeg2000MainHeader {
  const [first] = segments
  if (first?.marker !== jpeg2000MarkerCodes.size) throw createDamagedHeaderFailure()
  const grid = parseGrid(first.view)
  const coding = segments.find(({ marker }) => marker === jpeg2000MarkerCodes.codingDefault)
  if (!coding || coding.view.byteLength < 14) throw createDamagedHeaderFailure()
  if (segments.some(({ marker }) => marker === jpeg2000MarkerCodes.packedHeaders)) {
    throw new RasterFailure('unsupported', 'JPEG 2000 with all packet headers in front (PPM) is not read')
  }
  const common = parseStyle(coding.view, 9, (coding.view.getUint8(4) & 1) !== 0)
  const wide = grid.components > 256 ? 2 : 1
  const own = segments
    .filter(({ marker, view }) => marker === jpeg2000MarkerCodes.codingComponent && view.byteLength >= 10 + wide)
    .map(({ view }) => parseStyle(view, 5 + wide, (view.getUint8(4 + wide) & 1) !== 0))
  const kept = segments.filter(({ marker }) => !leftOut.has(marker))
  return {
    grid,
    layers: coding.view.getUint16(6),
    mixed: coding.view.getUint8(8) === 1 && grid.components >= 3,
    styles: [common, ...own],
    tileParts: parseTileParts(segments.filter(({ marker }) => marker === jpeg2000MarkerCodes.tilePartLengths)),
    bytes: Buffer.concat([
      Uint8Array.of(0xff, 0x4f),
      ...kept.map(({ view }) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)),
    ]),
    length,
  }
}

function parseGrid(view: DataView): Jpeg2000ImageGrid {
  if (view.byteLength < 43) throw createDamagedHeaderFailure()
  const [right, bottom, left, top, tileWidth, tileHeight, tileLeft, tileTop] = Array.from({ length: 8 }, (_, index) =>
    view.getUint32(6 + index * 4),
  ) as [number, number, number, number, number, number, number, number]
  const components = view.getUint16(38)
  const columns = Math.ceil((right - tileLeft) / tileWidth)
  const rows = Math.ceil((bottom - tileTop) / tileHeight)
  const sound =
    left < right &&
    top < bottom &&
    tileLeft <= left &&
    tileTop <= top &&
    tileLeft + tileWidth > left &&
    tileTop + tileHeight > top &&
    view.byteLength >= 40 + 3 * components
  if (!sound || components < 1 || !(columns * rows <= max_tiles)) throw createDamagedHeaderFailure()
  if (components > max_components) {
    throw new RasterFailure('unsupported', `JPEG 2000 of ${components} bands is not read`)
  }
  for (let index = 0; index < components; index++) {
    if (view.getUint8(40 + index * 3) !== view.getUint8(40)) {
      throw new RasterFailure('unsupported', 'JPEG 2000 whose bands differ in their bits is not read')
    }
    if (view.getUint16(41 + index * 3) !== 0x0101) {
      throw new RasterFailure('unsupported', 'JPEG 2000 with subsampled bands is not read')
    }
  }
  const bits = (view.getUint8(40) & 0x7f) + 1
  if (bits > 16) throw new RasterFailure('unsupported', `JPEG 2000 of ${bits} bits is not read`)
  const signed = (view.getUint8(40) & 0x80) !== 0
  return { left, top, right, bottom, tileLeft, tileTop, tileWidth, tileHeight, columns, rows, components, bits, signed }
}

function parseStyle(view: DataView, at: number, hasPrecincts: boolean): Jpeg2000CodingStyle {
  const levels = view.getUint8(at)
  const blockWidth = (view.getUint8(at + 1) & 15) + 2
  const blockHeight = (view.getUint8(at + 2) & 15) + 2
  const sound = levels <= 32 && blockWidth <= 10 && blockHeight <= 10 && blockWidth + blockHeight <= 12
  if (!sound || (hasPrecincts && view.byteLength < at + 6 + levels)) throw createDamagedHeaderFailure()
  const precincts = Array.from({ length: levels + 1 }, (_, index): [number, number] => {
    const sizes = hasPrecincts ? view.getUint8(at + 5 + index) : 0xff
    return [sizes & 15, sizes >> 4]
  })
  return { levels, blockWidth, blockHeight, precincts }
}

// TLM: several segments, numbered; each entry has a tile number of 0, 1 or 2 bytes and a length of 2 or 4.
function parseTileParts(segments: readonly Segment[]): Jpeg2000MainHeader['tileParts'] {
  if (segments.length === 0) return null
  const parts: { tile: number; length: number }[] = []
  for (const { view } of segments.toSorted((a, b) => a.view.getUint8(4) - b.view.getUint8(4))) {
    const kinds = view.getUint8(5)
    const tileBytes = (kinds >> 4) & 3
    const lengthBytes = kinds & 0x40 ? 4 : 2
    for (let at = 6; at + tileBytes + lengthBytes <= view.byteLength; at += tileBytes + lengthBytes) {
      const numbered = tileBytes === 1 ? view.getUint8(at) : view.getUint16(at)
      const tile = tileBytes === 0 ? parts.length : numbered
      const place = at + tileBytes
      parts.push({ tile, length: lengthBytes === 4 ? view.getUint32(place) : view.getUint16(place) })
    }
  }
  return parts
}

export function createDamagedHeaderFailure(): RasterFailure {
  return new RasterFailure('damaged', 'the header of the JPEG 2000 image contradicts itself')
}
