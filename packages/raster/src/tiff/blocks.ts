import { decodeBlock, findCodec } from '../codec/registry.ts'
import type { BlockShape } from '../codec/block-shape.ts'
import type { Codec } from '../codec/registry.ts'
import { isPacked, samplesOfBlock } from '../codec/samples.ts'
import { RasterFailure, checkCancelled } from '../failures.ts'
import { readRanges } from '../source/coalesce.ts'
import type { ByteRange } from '../source/coalesce.ts'
import type { Level, Samples, SampleType, Source } from '../types.ts'
import { readBlockTable } from './block-table.ts'
import type { BlockTable } from './block-table.ts'
import { blockRange } from './window.ts'
import type { Window } from './window.ts'

/** A decoded piece of a level: its place in pixels, its plane, and its samples pixel after pixel. */
export interface DecodedBlock {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** The band of a planar file; 0 where all bands are together. */
  readonly plane: number
  /** Samples a pixel; null where the file leaves the block out. */
  readonly samples: Samples | null
}

/** Compressed bytes that are held at once. */
const BATCH_BYTES = 8_388_608
const BATCH_BLOCKS = 256

interface BlockPlan {
  readonly range: ByteRange
  readonly x: number
  readonly y: number
  readonly plane: number
  readonly shape: BlockShape
}

/**
 * Decodes every block that a window touches, a few at a time, so that memory stays at one batch. Bands matter only where
 * the file keeps every band apart. Fails with `damaged`, `unsupported`, `source` or `cancelled`.
 */
export async function* decodeBlocks(
  source: Source,
  level: Level,
  type: SampleType,
  window: Window,
  bands: readonly number[],
  signal?: AbortSignal,
): AsyncGenerator<DecodedBlock> {
  const codec = findCodec(level.compression)
  await codec.prepare?.()
  const table = await readBlockTable(source, level, signal)
  for (const batch of batches(planBlocks(level, table, window, bands))) {
    checkCancelled(signal)
    const wanted = batch.filter((plan) => plan.range.length > 0)
    for (const plan of wanted) checkRange(plan, source, codec)
    const compressed = await readRanges(
      source,
      wanted.map((plan) => plan.range),
      signal,
    )
    for (const plan of batch) {
      const bytes = plan.range.length > 0 ? compressed[wanted.indexOf(plan)]! : null
      yield {
        x: plan.x,
        y: plan.y,
        width: plan.shape.width,
        height: plan.shape.height,
        plane: plan.plane,
        samples: bytes && samplesOfBytes(bytes, plan, codec, level, type),
      }
    }
  }
}

function samplesOfBytes(bytes: Uint8Array, plan: BlockPlan, codec: Codec, level: Level, type: SampleType): Samples {
  if (bytes.byteLength < plan.range.length) throw new RasterFailure('damaged', 'the file ends inside a block')
  return samplesOfBlock(decodeBlock(codec, bytes, plan.shape), codec, level, type, plan.shape)
}

function* planBlocks(level: Level, table: BlockTable, window: Window, bands: readonly number[]): Generator<BlockPlan> {
  const { columns, rows } = level.storage
  const [c0, r0, c1, r1] = blockRange(level, window)
  const planes = level.planar === 2 ? bands : [0]
  for (let row = r0; row < r1; row++) {
    for (const plane of planes) {
      for (let column = c0; column < c1; column++) {
        const index = plane * columns * rows + row * columns + column
        yield planBlock(level, table, window, index, column, row, plane)
      }
    }
  }
}

function planBlock(
  level: Level,
  table: BlockTable,
  window: Window,
  index: number,
  column: number,
  row: number,
  plane: number,
): BlockPlan {
  const [width, blockHeight] = level.block
  const { storage } = level
  const samples = level.planar === 2 ? 1 : storage.samplesPerPixel
  const rowBytes = Math.ceil((width * samples * storage.bitsPerSample) / 8)
  const top = row * blockHeight
  const stored = storage.striped ? Math.min(blockHeight, level.height - top) : blockHeight
  let offset = table.offsets[index]!
  let length = table.byteCounts[index]!
  let first = 0
  let height = stored
  if (level.compression === 1 && length >= stored * rowBytes) {
    // Uncompressed rows can be read one by one: a picture in one single strip need not be read whole.
    first = Math.max(0, window[1] - top)
    height = Math.min(stored, window[3] - top) - first
    offset += first * rowBytes
    length = height * rowBytes
  }
  return {
    range: { offset, length: offset > 0 ? length : 0 },
    x: column * width,
    y: top + first,
    plane,
    shape: {
      width,
      height,
      mostHeight: blockHeight,
      samples,
      bitsPerSample: storage.bitsPerSample,
      leastBytes: leastBytes(level, height, rowBytes, samples),
      mostBytes: blockHeight * rowBytes,
      jpegTables: storage.jpegTables,
      lercWrapping: storage.lercWrapping,
    },
  }
}

// A finished codec answers whole samples, whatever the number of bits in the file.
function leastBytes(level: Level, height: number, rowBytes: number, samples: number): number {
  const { bitsPerSample } = level.storage
  return findCodec(level.compression).finished && isPacked(bitsPerSample)
    ? level.block[0] * height * samples
    : height * rowBytes
}

function* batches(plans: Iterable<BlockPlan>): Generator<BlockPlan[]> {
  let batch: BlockPlan[] = []
  let bytes = 0
  for (const plan of plans) {
    if (batch.length > 0 && (bytes + plan.range.length > BATCH_BYTES || batch.length >= BATCH_BLOCKS)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(plan)
    bytes += plan.range.length
  }
  if (batch.length > 0) yield batch
}

// No codec makes a block much larger than its pixels: more bytes than that is a lie that would cost memory.
function checkRange({ range, shape }: BlockPlan, source: Source, codec: Codec): void {
  if (!Number.isSafeInteger(range.offset + range.length)) {
    throw new RasterFailure('damaged', 'a block of the file lies nowhere')
  }
  if (source.size !== undefined && range.offset + range.length > source.size) {
    throw new RasterFailure('damaged', 'the file is cut short: a block lies beyond its end')
  }
  if (range.length > shape.mostBytes * 4 + 1_048_576) {
    throw new RasterFailure('damaged', `a ${codec.name} block claims to be ${range.length} bytes long`)
  }
}
