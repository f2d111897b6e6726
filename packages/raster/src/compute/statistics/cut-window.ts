import type { Window } from '../window/window.ts'
import type { RasterLevel } from '../../types.ts'

/** Size of a piece that is read at once, in pixels. */
export interface WindowPieceSize {
  readonly columns: number
  readonly rows: number
}

/**
 * The size of pieces of at most `pixels` pixels, made of whole blocks so that none is decoded twice: rows of blocks over the
 * whole width where they fit, else some blocks of a row. A block that is larger by itself is cut across.
 */
export function choosePieceSize(level: RasterLevel, width: number, pixels: number): WindowPieceSize {
  const [blockWidth, blockHeight] = level.block
  const columns = Math.min(blockWidth, Math.max(1, pixels))
  if (blockWidth * blockHeight > pixels) return { columns, rows: Math.max(1, Math.floor(pixels / columns)) }
  if (width * blockHeight > pixels) {
    return { columns: Math.floor(pixels / (blockWidth * blockHeight)) * blockWidth, rows: blockHeight }
  }
  return { columns: Infinity, rows: Math.floor(pixels / (width * blockHeight)) * blockHeight }
}

/** The end of a piece that begins at `from`: at an edge of blocks, or inside a block that is larger than a piece. */
export function findPieceEnd(from: number, size: number, block: number): number {
  if (size === Infinity) return Infinity
  if (size >= block) return (Math.floor(from / block) + Math.floor(size / block)) * block
  return Math.min(from + size, (Math.floor(from / block) + 1) * block)
}

/** Cuts a window into pieces, row of pieces by row of pieces. */
export function* splitWindowIntoPieces(
  level: RasterLevel,
  [x0, y0, x1, y1]: Window,
  pixels: number,
): Generator<Window> {
  const { columns, rows } = choosePieceSize(level, x1 - x0, pixels)
  for (let top = y0; top < y1;) {
    const bottom = Math.min(y1, findPieceEnd(top, rows, level.block[1]))
    for (let left = x0; left < x1;) {
      const right = Math.min(x1, findPieceEnd(left, columns, level.block[0]))
      yield [left, top, right, bottom]
      left = right
    }
    top = bottom
  }
}
