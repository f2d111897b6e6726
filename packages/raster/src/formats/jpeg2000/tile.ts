import type { BlockShape } from '../codecs/block-shape.ts'
import { decodeJpeg2000Codestream } from '../codecs/codec-module.ts'
import type { DecodedImage } from '../codecs/codec-module.ts'
import { RasterFailure } from '../../failures.ts'
import { jpeg2000MarkerCodes, parseJpeg2000MainHeader } from './main-header.ts'
import type { Jpeg2000ImageGrid, Jpeg2000MainHeader } from './main-header.ts'
import { computeJpeg2000TileBox, countPrecinctsAndCodeBlocks, reduceGridBox } from './tile-geometry.ts'
import type { ReferenceGridBox } from './tile-geometry.ts'

/** Memory that decoding one tile may take, all copies counted: enough for some 12 million samples of 16 bits. */
const max_bytes = 256_000_000
/** The decoder itself, before it decodes anything. */
const decoder_bytes = 52_428_800
/** Limits of the state that the decoder holds for one tile, at any requested resolution. */
const max_pieces = 524_288
const max_packets = 4_194_304

/**
 * Decodes one tile of a JPEG 2000 image into samples pixel after pixel, as a block of its level; behind the right and
 * lower edge of the image they are 0. `bytes` begins with the first part of the tile. The tile goes to the decoder as a
 * codestream of its own, in its place on the reference grid, so that everything about it stays as it was coded. Fails
 * with `damaged`, `unsupported`, and `budget` where that would take more than 256 MB of memory: one band of 16 bits in
 * 3,500 × 3,500 pixels, or three of 8 bits in 3,000 × 3,000, are about the most.
 */
export function decodeJpeg2000Tile(bytes: Uint8Array, shape: BlockShape): Uint8Array {
  const { jpeg2000: storage } = shape
  if (!storage) throw new RasterFailure('unsupported', 'compression by JPEG 2000 inside a TIFF is not read')
  const header = parseJpeg2000MainHeader(storage.header)
  const { tile, parts } = partsOfTile(bytes)
  if (tile >= header.grid.columns * header.grid.rows) throw damagedTile()
  const box = computeJpeg2000TileBox(header.grid, tile)
  const reduced = reduceGridBox(box, storage.reduce)
  const width = reduced.right - reduced.left
  const height = reduced.bottom - reduced.top
  if (width < 1 || height < 1 || width > shape.width || height > shape.height) throw damagedTile()
  const { components } = header.grid
  checkPieces(header, box)
  checkMemory(width, height, header.grid, header.mixed ? components : 1, bytes.length)
  const codestream = codestreamOf(header.bytes, parts, box)
  const decoded = decodeJpeg2000Codestream(codestream, storage.reduce, components, header.grid.bits, header.mixed)
  if (decoded?.width !== width || decoded.height !== height) throw damagedTile()
  return width === shape.width && height === shape.height ? decoded.bytes : padded(decoded, shape)
}

/** The samples of a tile at the edge of the image, in rows of a whole block. */
function padded({ width, height, components, bytes }: DecodedImage, shape: BlockShape): Uint8Array {
  const pixelBytes = (components * shape.bitsPerSample) / 8
  const samples = new Uint8Array(shape.width * shape.height * pixelBytes)
  for (let row = 0; row < height; row++) {
    const from = row * width * pixelBytes
    samples.set(bytes.subarray(from, from + width * pixelBytes), row * shape.width * pixelBytes)
  }
  return samples
}

/** The parts of the tile that comes first, among which parts of others may stand. */
function partsOfTile(bytes: Uint8Array): { tile: number; parts: Uint8Array[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Uint8Array[] = []
  let tile = -1
  for (let at = 0; at + 14 <= bytes.length;) {
    if (view.getUint16(at) !== jpeg2000MarkerCodes.startOfTilePart) throw damagedTile()
    const length = view.getUint32(at + 6) || bytes.length - at
    if (length < 14 || at + length > bytes.length) throw damagedTile()
    if (tile < 0) tile = view.getUint16(at + 4)
    if (view.getUint16(at + 4) === tile) {
      checkPartHeader(view, at, at + length)
      parts.push(bytes.subarray(at, at + length))
    }
    at += length
  }
  if (tile < 0) throw damagedTile()
  return { tile, parts }
}

// A tile may have a coding style of its own, which nobody writes: its cost would have to be counted anew.
function checkPartHeader(view: DataView, start: number, end: number): void {
  for (let at = start + 12; at + 2 <= end;) {
    const marker = view.getUint16(at)
    if (marker === jpeg2000MarkerCodes.startOfData) return
    if (marker === jpeg2000MarkerCodes.codingDefault || marker === jpeg2000MarkerCodes.codingComponent) {
      throw new RasterFailure('unsupported', 'JPEG 2000 whose tiles are coded in different ways is not read')
    }
    if (marker < 0xff4f || at + 4 > end) break
    at += 2 + Math.max(2, view.getUint16(at + 2))
  }
  throw damagedTile()
}

// The decoder holds whole numbers of four bytes and its answer; the answer comes over, into the block and into the
// window; the coded bytes are copied out of the file, into a codestream, into the decoder, and inside it once more.
function checkMemory(
  width: number,
  height: number,
  { components, bits }: Jpeg2000ImageGrid,
  together: number,
  coded: number,
): void {
  const sampleBytes = bits <= 8 ? 1 : 2
  const perPixel = together * (4 + sampleBytes) + components * sampleBytes * 3
  const cost = width * height * perPixel + 4 * coded + decoder_bytes
  if (cost <= max_bytes) return
  throw new RasterFailure(
    'budget',
    `a tile of ${width} × ${height} pixels in a JPEG 2000 image would take ${Math.ceil(cost / 1e6)} MB to decode; ${max_bytes / 1e6} are given`,
  )
}

function checkPieces({ grid, layers, styles }: Jpeg2000MainHeader, box: ReferenceGridBox): void {
  const pieces = styles.map((style) => countPrecinctsAndCodeBlocks(box, style))
  const piece_count = Math.max(...pieces.map(({ precincts, codeBlocks }) => precincts + codeBlocks)) * grid.components
  const resolutions = Math.max(...styles.map((style) => style.levels + 1))
  const packets = (layers + 1) * resolutions * grid.components * Math.max(...pieces.map((piece) => piece.mostPrecincts))
  if (piece_count > max_pieces || packets > max_packets) {
    throw new RasterFailure('budget', 'a tile of the JPEG 2000 image is cut into too many pieces')
  }
}

function codestreamOf(header: Uint8Array, parts: readonly Uint8Array[], box: ReferenceGridBox): Uint8Array {
  const whole = Buffer.concat([header, ...parts, Uint8Array.of(0xff, 0xd9)])
  // The size segment stands first: edges, origin, tile size, origin of the tiles.
  const { left, top, right, bottom } = box
  for (const [index, value] of [right, bottom, left, top, right - left, bottom - top, left, top].entries()) {
    whole.writeUInt32BE(value, 8 + index * 4)
  }
  // In this codestream there is one tile.
  let at = header.length
  for (const part of parts) {
    whole.writeUInt16BE(0, at + 4)
    at += part.length
  }
  return whole
}

function damagedTile(): RasterFailure {
  return new RasterFailure('damaged', 'a tile of the JPEG 2000 image cannot be decoded')
}
