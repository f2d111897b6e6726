import { RasterFailure, checkCancelled } from '../../failures.ts'
import type { Jpeg2000Storage, RasterByteSource } from '../../types.ts'
import { jpeg2000MarkerCodes } from './main-header.ts'

/**
 * Byte ranges of every tile, in the form of the block table of a TIFF. No tile may be left out: one that is missing
 * lies infinitely far away, which ends in a `damaged` failure when it is read.
 */
export interface Jpeg2000TileTable {
  readonly offsets: Float64Array
  readonly byteCounts: Float64Array
}

const head_bytes = 12
const max_parts = 65_536
/** Read at once while parts are followed one by one: neighbours that are small come together. */
const piece_bytes = 4096
/** Bytes of other tiles between the parts of one. */
const max_foreign_bytes = 8_388_608

interface Part {
  readonly tile: number
  readonly offset: number
  readonly length: number
}

/**
 * The places of all tiles: from the file's own list, else by following the parts from one to the next. Fails with
 * `damaged`, `unsupported` (the parts of one tile lie all over the file), `source` or `cancelled`.
 */
export async function readJpeg2000TileTable(
  source: RasterByteSource,
  storage: Jpeg2000Storage,
  tiles: number,
  signal?: AbortSignal,
): Promise<Jpeg2000TileTable> {
  const offsets = new Float64Array(tiles)
  const byteCounts = new Float64Array(tiles)
  const own = new Float64Array(tiles)
  const add = ({ tile, offset, length }: Part): void => {
    if (tile >= tiles) throw new RasterFailure('damaged', `the image has a part of tile ${tile}, of ${tiles}`)
    if (offsets[tile] === 0) offsets[tile] = offset
    byteCounts[tile] = offset + length - offsets[tile]!
    own[tile]! += length
  }
  if (storage.parts) listedParts(storage, storage.parts).forEach(add)
  else for await (const part of followParts(source, storage, signal)) add(part)
  if (byteCounts.some((length, tile) => length - own[tile]! > max_foreign_bytes)) {
    throw new RasterFailure('unsupported', 'JPEG 2000 whose tiles are spread over the file in parts is not read')
  }
  for (const [tile, length] of byteCounts.entries()) {
    if (length > 0) continue
    offsets[tile] = Number.POSITIVE_INFINITY
    byteCounts[tile] = 1
  }
  return { offsets, byteCounts }
}

function listedParts({ start }: Jpeg2000Storage, parts: NonNullable<Jpeg2000Storage['parts']>): Part[] {
  let offset = start
  return parts.map(({ tile, length }) => {
    const part = { tile, offset, length }
    offset += length
    return part
  })
}

/** Every part begins with a marker that says how long it is (ISO 15444-1, A.4.2); 0 means "up to the end". */
async function* followParts(
  source: RasterByteSource,
  storage: Jpeg2000Storage,
  signal?: AbortSignal,
): AsyncGenerator<Part> {
  const end = storage.end ?? source.size ?? Number.MAX_SAFE_INTEGER
  let piece: { offset: number; bytes: Uint8Array } = { offset: 0, bytes: new Uint8Array(0) }
  let offset = storage.start
  for (let count = 0; offset + head_bytes <= end; count++) {
    if (count >= max_parts) throw new RasterFailure('budget', `the image has more than ${max_parts} parts of tiles`)
    if (offset + head_bytes > piece.offset + piece.bytes.length) {
      checkCancelled(signal)
      piece = { offset, bytes: await source.read(offset, Math.min(piece_bytes, end - offset), signal) }
      if (piece.bytes.length < head_bytes) return
    }
    const at = offset - piece.offset
    const view = new DataView(piece.bytes.buffer, piece.bytes.byteOffset + at, head_bytes)
    // Bytes after the last part are not a part; a missing tile fails when it is read.
    if (view.getUint16(0) !== jpeg2000MarkerCodes.startOfTilePart) return
    const claimed = view.getUint32(6)
    if (claimed !== 0 && claimed < head_bytes + 2) throw new RasterFailure('damaged', 'a part of a tile has no length')
    const length = claimed === 0 ? end - offset : Math.min(claimed, end - offset)
    yield { tile: view.getUint16(4), offset, length }
    offset += length
  }
}
