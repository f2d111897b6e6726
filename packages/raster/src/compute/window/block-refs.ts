import type { BlockShape } from '../../formats/codecs/block-shape.ts'
import { findCodec } from '../../formats/block-decoders.ts'
import { hasPackedSamples } from '../../formats/codecs/samples.ts'
import { RasterFailure } from '../../failures.ts'
import type { RasterLevel, RasterByteSource } from '../../types.ts'
import type { BlockTable } from './block-table.ts'
import { findBlockRange } from './window.ts'
import type { Window } from './window.ts'

/** One block that a window touches: the range of its bytes, its shape, and its place in the level. Plain data. */
export interface BlockRef {
  /** Its place in the block table of the level. */
  readonly number: number
  readonly offset: number
  /** 0 for a block that the file leaves out. */
  readonly length: number
  /** Left and top in pixels of the level. */
  readonly x: number
  readonly y: number
  /** The band of a planar file; 0 where all bands are together. */
  readonly plane: number
  readonly shape: BlockShape
  /** False where only some rows of an uncompressed block are meant. */
  readonly whole: boolean
}

/**
 * The blocks of a window, row after row. Bands matter only where the file keeps every band apart, `exact` only to codecs
 * that have a quicker way.
 */
export function planWindowBlocks(
  level: RasterLevel,
  table: BlockTable,
  window: Window,
  bands: readonly number[],
  exact: boolean,
): BlockRef[] {
  const { columns, rows } = level.storage
  const [c0, r0, c1, r1] = findBlockRange(level, window)
  const planes = level.planar === 2 ? bands : [0]
  const refs: BlockRef[] = []
  for (let row = r0; row < r1; row++) {
    for (const plane of planes) {
      for (let column = c0; column < c1; column++) {
        const number = plane * columns * rows + row * columns + column
        refs.push(planBlock(level, table, window, { number, column, row, plane, exact }))
      }
    }
  }
  return refs
}

interface BlockPlace {
  readonly number: number
  readonly column: number
  readonly row: number
  readonly plane: number
  readonly exact: boolean
}

function planBlock(
  level: RasterLevel,
  table: BlockTable,
  window: Window,
  { number, column, row, plane, exact }: BlockPlace,
): BlockRef {
  const [width, blockHeight] = level.block
  const { storage } = level
  const samples = level.planar === 2 ? 1 : storage.samplesPerPixel
  const rowBytes = Math.ceil((width * samples * storage.bitsPerSample) / 8)
  const top = row * blockHeight
  const stored = storage.striped ? Math.min(blockHeight, level.height - top) : blockHeight
  let offset = table.offsets[number]!
  let length = table.byteCounts[number]!
  let first = 0
  let height = stored
  if (level.compression === 1 && length >= stored * rowBytes) {
    // Uncompressed rows can be read one by one: an image in one single strip need not be read whole.
    first = Math.max(0, window[1] - top)
    height = Math.min(stored, window[3] - top) - first
    offset += first * rowBytes
    length = height * rowBytes
  }
  return {
    number,
    offset,
    length: offset > 0 ? length : 0,
    x: column * width,
    y: top + first,
    plane,
    whole: height === stored,
    shape: {
      width,
      height,
      mostHeight: blockHeight,
      samples,
      bitsPerSample: storage.bitsPerSample,
      leastBytes: leastBytes(level, height, rowBytes, samples),
      mostBytes: storage.jpeg2000?.maxTileBytes ?? blockHeight * rowBytes,
      jpegTables: storage.jpegTables,
      lercWrapping: storage.lercWrapping,
      exact,
      jpeg2000: storage.jpeg2000,
    },
  }
}

// A finished codec answers whole samples, whatever the number of bits in the file.
function leastBytes(level: RasterLevel, height: number, rowBytes: number, samples: number): number {
  const { bitsPerSample } = level.storage
  return findCodec(level.compression).finished && hasPackedSamples(bitsPerSample)
    ? level.block[0] * height * samples
    : height * rowBytes
}

/** No codec makes a block much larger than its pixels: more bytes than that is a lie that would cost memory. */
export function checkBlockByteRange(
  { offset, length, shape }: BlockRef,
  source: RasterByteSource,
  level: RasterLevel,
): void {
  if (!Number.isSafeInteger(offset + length)) {
    throw new RasterFailure('damaged', 'the file does not say where a part of its image begins')
  }
  if (source.size !== undefined && offset + length > source.size) {
    throw new RasterFailure('damaged', 'the file is cut short: a part of its image is missing')
  }
  if (length > shape.mostBytes * 4 + 1_048_576) {
    const { name } = findCodec(level.compression)
    throw new RasterFailure('damaged', `a part of the image, compressed as ${name}, is said to be ${length} bytes long`)
  }
}

/** Compressed bytes that are held at once while a large window is read. */
