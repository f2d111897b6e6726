import { sampleTypeProperties, getSampleTypeOfArray } from '../../sample-types.ts'
import { readPixelInterleavedWindow } from '../../compute/window/read-window.ts'
import type { Window } from '../../compute/window/window.ts'
import type { PixelRows, Raster, SampleArray } from '../../types.ts'

/** Answers `rows` rows from row `top` of an image on, good until the next call; asked from the top downwards, each row once. */
export type ImageRowReader = (top: number, rows: number) => Promise<PixelRows>

/** Limit of reading one row of blocks: the returned rows, and the source's own blocks. */
const read_budget_bytes = 1_073_741_824
/** Bytes that are read at once; the other rows follow. */
const piece_bytes = 4_194_304
/** The most bytes of rows that are cached between two reads, if the source's blocks are higher than the output's. */
export const max_cached_row_bytes = 134_217_728

/**
 * Reads rows of a part of a raster, all bands of a pixel together. Blocks that reach beyond the requested rows are
 * decoded once and cached.
 *
 * @param part pixels of the full level; its rows count from 0.
 */
export function createRowReader(
  raster: Raster,
  bands: readonly number[],
  part: Window,
  signal: AbortSignal | undefined,
): ImageRowReader {
  const [left, first, right, last] = part
  const blockHeight = raster.levels[0]!.block[1]
  const rowBytes = ((right - left) * bands.length * sampleTypeProperties[raster.sampleType].bits) / 8
  const source = blockHeight * rowBytes <= max_cached_row_bytes ? unshared(raster) : raster
  let kept: { readonly top: number; readonly pixels: PixelRows } | null = null
  let buffer: SampleArray | null = null
  /** Piece by piece across, so that only one row of blocks is in memory, and each piece is freed once it is placed. */
  const read = async (top: number, rows: number, reuse: boolean): Promise<PixelRows> => {
    const length = (right - left) * rows * bands.length
    const data =
      reuse && buffer && buffer.length >= length ? buffer : sampleTypeProperties[raster.sampleType].allocate(length)
    if (reuse) buffer = data
    const into: PixelRows = {
      width: right - left,
      rows,
      bands: bands.length,
      data: data.subarray(0, length),
      mask: null,
    }
    let mask: Uint8Array | null = null
    for (const [from, to] of piecesOf(
      left,
      right,
      raster.levels[0]!.block[0],
      (piece_bytes / rowBytes / rows) * (right - left),
    )) {
      const window = [from, first + top, to, first + top + rows] as const
      const piece = await readPixelInterleavedWindow(source, { window, bands, budget_bytes: read_budget_bytes, signal })
      if (piece.mask) mask ??= new Uint8Array(into.width * rows).fill(255)
      placeRows(piece, into, mask, from - left)
      discard(piece)
    }
    return { ...into, mask }
  }
  return async (top, rows) => {
    const bottom = top + rows
    const above = kept !== null && top >= kept.top && top < kept.top + kept.pixels.rows ? kept : null
    const begin = above ? above.top + above.pixels.rows : top
    if (above && bottom <= begin) return sliceRows(above.pixels, top - above.top, bottom - above.top)
    // Down to the edge of the blocks that the last row lies in.
    const edge = Math.min(last, Math.ceil((first + bottom) / blockHeight) * blockHeight) - first
    const end = (edge - top) * rowBytes > max_cached_row_bytes ? bottom : edge
    kept = null
    const fresh = await read(begin, end - begin, !above && end === bottom)
    const pixels = above ? stackRows(sliceRows(above.pixels, top - above.top, begin - above.top), fresh) : fresh
    if (end === bottom) return pixels
    kept = { top, pixels }
    return sliceRows(pixels, 0, rows)
  }
}

/** A raster whose blocks are read once: sharing them with other threads would only drive out what others read again. */
function unshared({ fileId: _file, ...raster }: Raster): Raster {
  return raster
}

/** Stretches of columns that end at the edges of blocks, each about `most` wide. */
function* piecesOf(left: number, right: number, block: number, most: number): Generator<[from: number, to: number]> {
  for (let from = left; from < right;) {
    const edge = Math.max(Math.floor((from + most) / block), Math.floor(from / block) + 1) * block
    const to = Math.min(right, edge)
    yield [from, to]
    from = to
  }
}

function placeRows(piece: PixelRows, into: PixelRows, mask: Uint8Array | null, left: number): void {
  const { width, bands } = piece
  for (let row = 0; row < piece.rows; row++) {
    const from = row * width
    const to = row * into.width + left
    into.data.set(piece.data.subarray(from * bands, (from + width) * bands), to * bands)
    if (piece.mask) mask!.set(piece.mask.subarray(from, from + width), to)
  }
}

/** Frees the memory of rows that nobody uses any more: to the collector it is only garbage once there is much of it. */
function discard({ data, mask }: PixelRows): void {
  for (const array of [data, mask]) if (array) (array.buffer as ArrayBuffer).transfer(0)
}

/** Some of the rows, without a copy. */
export function sliceRows({ width, bands, data, mask }: PixelRows, from: number, to: number): PixelRows {
  return {
    width,
    rows: to - from,
    bands,
    data: data.subarray(from * width * bands, to * width * bands),
    mask: mask?.subarray(from * width, to * width) ?? null,
  }
}

function stackRows(above: PixelRows, below: PixelRows): PixelRows {
  const { width, bands } = above
  const rows = above.rows + below.rows
  const data = sampleTypeProperties[getSampleTypeOfArray(above.data)].allocate(rows * width * bands)
  data.set(above.data)
  data.set(below.data, above.data.length)
  if (above.mask === null && below.mask === null) return { width, rows, bands, data, mask: null }
  const mask = new Uint8Array(rows * width).fill(255)
  if (above.mask) mask.set(above.mask)
  if (below.mask) mask.set(below.mask, above.rows * width)
  return { width, rows, bands, data, mask }
}
