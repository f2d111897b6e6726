import { RasterFailure } from '../failures.ts'
import type { Level, NumberRun, Source } from '../types.ts'

/** Where every block of a level lies and how long it is; both 0 for a block that was never written. */
export interface BlockTable {
  readonly offsets: Float64Array
  readonly byteCounts: Float64Array
}

const NUMBER_BYTES: Readonly<Record<number, number>> = { 3: 2, 4: 4, 16: 8 }

// Kept beside the level, not in it, so that an opened raster stays plain data. Gone with the level.
const tables = new WeakMap<Level, Promise<BlockTable>>()

/** The block table of a level, read from the file on first use. */
export function readBlockTable(source: Source, level: Level, signal?: AbortSignal): Promise<BlockTable> {
  const known = tables.get(level)
  if (known) return known
  const reading = loadTable(source, level, signal)
  tables.set(level, reading)
  // A read that failed (or was cancelled) says nothing about the file.
  reading.catch(() => tables.delete(level))
  return reading
}

async function loadTable(source: Source, level: Level, signal?: AbortSignal): Promise<BlockTable> {
  const { storage } = level
  const offsets = await readRun(source, storage.offsets, storage.littleEndian, signal)
  const byteCounts = storage.byteCounts
    ? await readRun(source, storage.byteCounts, storage.littleEndian, signal)
    : guessByteCounts(level, offsets)
  return { offsets, byteCounts }
}

async function readRun(
  source: Source,
  run: NumberRun,
  littleEndian: boolean,
  signal?: AbortSignal,
): Promise<Float64Array> {
  const size = NUMBER_BYTES[run.type]!
  const length = run.count * size
  if (source.size !== undefined && run.offset + length > source.size) throw cutShort()
  const bytes = await source.read(run.offset, length, signal)
  if (bytes.byteLength < length) throw cutShort()
  const view = new DataView(bytes.buffer, bytes.byteOffset, length)
  const values = new Float64Array(run.count)
  for (let index = 0; index < run.count; index++) {
    const at = index * size
    if (size === 4) values[index] = view.getUint32(at, littleEndian)
    else values[index] = size === 2 ? view.getUint16(at, littleEndian) : Number(view.getBigUint64(at, littleEndian))
  }
  return values
}

// Old writers left the lengths of uncompressed strips out: they follow from the shape.
function guessByteCounts(level: Level, offsets: Float64Array): Float64Array {
  if (level.compression !== 1) throw new RasterFailure('damaged', 'the file does not say how long its blocks are')
  const { bitsPerSample, samplesPerPixel, striped, columns, rows } = level.storage
  const rowBytes = Math.ceil((level.block[0] * bitsPerSample * (level.planar === 2 ? 1 : samplesPerPixel)) / 8)
  return offsets.map((_, index) => {
    const row = Math.floor((index % (columns * rows)) / columns)
    const height = striped ? Math.min(level.block[1], level.height - row * level.block[1]) : level.block[1]
    return rowBytes * height
  })
}

function cutShort(): RasterFailure {
  return new RasterFailure('damaged', 'the file ends inside its list of blocks')
}
