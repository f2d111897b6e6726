import type { BlockShape } from '../codecs/block-shape.ts'
import { RasterFailure } from '../../failures.ts'
import { MARKER, parseMainHeader } from './main-header.ts'
import type { ImageGrid, MainHeader } from './main-header.ts'
import { decodeCodestream } from './openjpeg.ts'
import { splitComponents } from './split-components.ts'
import type { ComponentGroup } from './split-components.ts'
import { boxOfTile, countPieces, reduceBox } from './tile-geometry.ts'
import type { Box } from './tile-geometry.ts'

/** Memory that decoding one tile may take, all copies counted: enough for some 12 million samples of 16 bits. */
const MOST_BYTES = 256_000_000
/** The decoder itself, before it decodes anything. */
const DECODER_BYTES = 52_428_800
/** What the decoder keeps books on for one tile, whatever resolution is asked for. */
const MOST_PIECES = 524_288
const MOST_PACKETS = 4_194_304

/**
 * Decodes one tile of a JPEG 2000 picture into samples pixel after pixel, as a block of its level; behind the right and
 * lower edge of the picture they are 0. `bytes` begins with the first part of the tile. The tile goes to the decoder as a
 * codestream of its own, in its place on the reference grid, so that everything about it stays as it was coded. Fails
 * with `damaged`, `unsupported`, and `budget` where that would take more than 256 MB of memory: one band of 16 bits in
 * 3,500 × 3,500 pixels, or three of 8 bits in 3,000 × 3,000, are about the most.
 */
export function decodeTile(bytes: Uint8Array, shape: BlockShape): Uint8Array {
  const { jpeg2000: storage } = shape
  if (!storage) throw new RasterFailure('unsupported', 'compression by JPEG 2000 inside a TIFF is not read')
  const header = parseMainHeader(storage.header)
  const { tile, parts } = partsOfTile(bytes)
  if (tile >= header.grid.columns * header.grid.rows) throw damagedTile()
  const box = boxOfTile(header.grid, tile)
  const reduced = reduceBox(box, storage.reduce)
  const width = reduced.right - reduced.left
  const height = reduced.bottom - reduced.top
  if (width < 1 || height < 1 || width > shape.width || height > shape.height) throw damagedTile()
  const { components } = header.grid
  checkPieces(header, box)
  checkMemory(width, height, header.grid, components === 3 || header.mixed ? 3 : 1, bytes.length)
  // The decoder answers one band or three.
  const groups =
    components === 1 || components === 3 ? [wholeGroup(header, parts)] : splitComponents(header, box, parts)
  const samples = new (shape.bitsPerSample === 8 ? Uint8Array : Uint16Array)(shape.width * shape.height * components)
  for (const group of groups) decodeGroup(group, header.grid, box, storage.reduce, { samples, width, height }, shape)
  return new Uint8Array(samples.buffer)
}

function wholeGroup({ grid, bytes }: MainHeader, parts: readonly Uint8Array[]): ComponentGroup {
  return { components: Array.from({ length: grid.components }, (_, index) => index), header: bytes, parts }
}

/** The block that is being filled, and the part of it that the tile covers. */
interface Target {
  readonly samples: Uint8Array | Uint16Array
  readonly width: number
  readonly height: number
}

function decodeGroup(
  group: ComponentGroup,
  grid: ImageGrid,
  box: Box,
  reduce: number,
  { samples, width, height }: Target,
  shape: BlockShape,
): void {
  const decoded = decodeCodestream(codestreamOf(group, box), reduce)
  // Rows are as long as the halved tile would be if it began at a whole pixel.
  const stride = Math.ceil((box.right - box.left) / 2 ** reduce)
  const rows = Math.ceil((box.bottom - box.top) / 2 ** reduce)
  const count = group.components.length
  if (decoded?.length !== stride * rows * count) throw damagedTile()
  const [least, most] = [-(2 ** (grid.bits - 1)), 2 ** (grid.bits - 1) - 1]
  const cuts = hasSignedBytes(group.header)
  const all = grid.components
  if (!cuts && count === all && stride === shape.width) return samples.set(decoded)
  for (const [place, component] of group.components.entries()) {
    for (let row = 0; row < height; row++) {
      let from = row * stride * count + place
      let to = row * shape.width * all + component
      for (let column = 0; column < width; column++, from += count, to += all) {
        const value = decoded[from]!
        samples[to] = cuts ? Math.min(most, Math.max(least, (value << 16) >> 16)) : value
      }
    }
  }
}

/** The parts of the tile that comes first, among which parts of others may stand. */
function partsOfTile(bytes: Uint8Array): { tile: number; parts: Uint8Array[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Uint8Array[] = []
  let tile = -1
  for (let at = 0; at + 14 <= bytes.length;) {
    if (view.getUint16(at) !== MARKER.startOfTilePart) throw damagedTile()
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
    if (marker === MARKER.startOfData) return
    if (marker === MARKER.codingDefault || marker === MARKER.codingComponent) {
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
  { components, bits }: ImageGrid,
  together: number,
  coded: number,
): void {
  const sampleBytes = bits <= 8 ? 1 : 2
  const perPixel = together * (4 + sampleBytes) + components * sampleBytes * 3
  const cost = width * height * perPixel + 4 * coded + DECODER_BYTES
  if (cost <= MOST_BYTES) return
  throw new RasterFailure(
    'budget',
    `a tile of ${width} × ${height} pixels in a JPEG 2000 picture would take ${Math.ceil(cost / 1e6)} MB to decode; ${MOST_BYTES / 1e6} are given`,
  )
}

function checkPieces({ grid, layers, styles }: MainHeader, box: Box): void {
  const pieces = styles.map((style) => countPieces(box, style))
  const books = Math.max(...pieces.map(({ precincts, codeBlocks }) => precincts + codeBlocks)) * grid.components
  const resolutions = Math.max(...styles.map((style) => style.levels + 1))
  const packets = (layers + 1) * resolutions * grid.components * Math.max(...pieces.map((piece) => piece.mostPrecincts))
  if (books > MOST_PIECES || packets > MOST_PACKETS) {
    throw new RasterFailure('budget', 'a tile of the JPEG 2000 picture is cut into too many pieces')
  }
}

function codestreamOf({ header, parts }: ComponentGroup, box: Box): Uint8Array {
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
  if (hasSignedBytes(header)) for (let at = 42; at < 42 + 3 * whole.readUInt16BE(40); at += 3) whole[at] = 0x8f
  return whole
}

// The decoder answers bytes without a sign. Samples that have one are declared to have 16 bits instead of 8: that changes
// nothing but the range that they are cut to, which is done here then.
function hasSignedBytes(header: Uint8Array): boolean {
  return (header[42]! & 0x80) !== 0 && (header[42]! & 0x7f) < 8
}

function damagedTile(): RasterFailure {
  return new RasterFailure('damaged', 'a tile of the JPEG 2000 picture cannot be decoded')
}
