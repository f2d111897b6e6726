import { RasterFailure, checkCancelled } from '../../failures.ts'
import { readRanges } from '../../io/source/coalesce.ts'
import type { ByteRange } from '../../io/source/coalesce.ts'
import { readJpeg2000TileTable } from '../../formats/jpeg2000/tile-table.ts'
import type { RasterLevel, DeferredNumberList, RasterByteSource } from '../../types.ts'

/** Offset and length of every block of a level; both 0 for a block that was never written. */
export interface BlockTable {
  readonly offsets: Float64Array
  readonly byteCounts: Float64Array
}

const numberBytes: Readonly<Record<number, number>> = { 3: 2, 4: 4, 16: 8 }

// Stored beside the level, not in it, so that an opened raster stays plain data. Collected with the level.
const tables = new WeakMap<RasterLevel, Promise<BlockTable>>()

/**
 * The block table of a level, read from the file on first use. Callers at the same time share one reading; where it fails
 * for whoever began it, the others read for themselves.
 */
export async function readBlockTable(
  source: RasterByteSource,
  level: RasterLevel,
  signal?: AbortSignal,
): Promise<BlockTable> {
  checkCancelled(signal)
  const known = tables.get(level)
  const reading = known ?? loadTable(source, level, signal)
  tables.set(level, reading)
  try {
    return await reading
  } catch (cause) {
    if (tables.get(level) === reading) tables.delete(level)
    if (!known) throw cause
    return readBlockTable(source, level, signal)
  }
}

async function loadTable(source: RasterByteSource, level: RasterLevel, signal?: AbortSignal): Promise<BlockTable> {
  const { offsets, byteCounts, littleEndian, jpeg2000, columns, rows } = level.storage
  if (jpeg2000) return readJpeg2000TileTable(source, jpeg2000, columns * rows, signal)
  const runs = byteCounts ? [offsets, byteCounts] : [offsets]
  const ranges = runs.map((run) => rangeOf(source, run))
  const [first, second] = await readRanges(source, ranges, signal)
  const positions = numbersOf(first!, offsets, littleEndian)
  return {
    offsets: positions,
    byteCounts: byteCounts ? numbersOf(second!, byteCounts, littleEndian) : guessByteCounts(level, positions),
  }
}

function rangeOf(source: RasterByteSource, { offset, type, count }: DeferredNumberList): ByteRange {
  const length = count * numberBytes[type]!
  if (source.size !== undefined && offset + length > source.size) throw cutShort()
  return { offset, length }
}

function numbersOf(bytes: Uint8Array, { type, count }: DeferredNumberList, littleEndian: boolean): Float64Array {
  const size = numberBytes[type]!
  if (bytes.byteLength < count * size) throw cutShort()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const values = new Float64Array(count)
  for (let index = 0; index < count; index++) {
    const at = index * size
    if (size === 4) values[index] = view.getUint32(at, littleEndian)
    else values[index] = size === 2 ? view.getUint16(at, littleEndian) : Number(view.getBigUint64(at, littleEndian))
  }
  return values
}

// Old writers left the lengths of uncompressed strips out: they follow from the shape.
function guessByteCounts(level: RasterLevel, offsets: Float64Array): Float64Array {
  if (level.compression !== 1)
    throw new RasterFailure('damaged', 'the file does not say how long the parts of its image are')
  const { bitsPerSample, samplesPerPixel, striped, columns, rows } = level.storage
  const rowBytes = Math.ceil((level.block[0] * bitsPerSample * (level.planar === 2 ? 1 : samplesPerPixel)) / 8)
  return offsets.map((_, index) => {
    const row = Math.floor((index % (columns * rows)) / columns)
    const height = striped ? Math.min(level.block[1], level.height - row * level.block[1]) : level.block[1]
    return rowBytes * height
  })
}

function cutShort(): RasterFailure {
  return new RasterFailure('damaged', 'the file is cut short: it ends before it has listed the parts of its image')
}
