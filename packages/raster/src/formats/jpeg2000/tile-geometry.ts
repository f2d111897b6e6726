import type { Jpeg2000CodingStyle, Jpeg2000ImageGrid } from './main-header.ts'

/** A rectangle of the reference grid, or of a resolution of it; right and bottom are not inside. */
export interface ReferenceGridBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The part of the image that a tile holds (ISO 15444-1, B.3). */
export function computeJpeg2000TileBox(grid: Jpeg2000ImageGrid, index: number): ReferenceGridBox {
  const column = index % grid.columns
  const row = Math.floor(index / grid.columns)
  return {
    left: Math.max(grid.left, grid.tileLeft + column * grid.tileWidth),
    top: Math.max(grid.top, grid.tileTop + row * grid.tileHeight),
    right: Math.min(grid.right, grid.tileLeft + (column + 1) * grid.tileWidth),
    bottom: Math.min(grid.bottom, grid.tileTop + (row + 1) * grid.tileHeight),
  }
}

/** The same rectangle after the image was halved `times` times (B.5). */
export function reduceGridBox({ left, top, right, bottom }: ReferenceGridBox, times: number): ReferenceGridBox {
  const divide = (edge: number): number => Math.ceil(edge / 2 ** times)
  return { left: divide(left), top: divide(top), right: divide(right), bottom: divide(bottom) }
}

/** The largest number of pieces of a tile that a decoder has to track, at any requested resolution. */
export interface TilePrecinctCounts {
  readonly precincts: number
  readonly codeBlocks: number
  /** Of the resolution that has most. */
  readonly mostPrecincts: number
}

/** Counts the precincts and code-blocks of one component of a tile, all resolutions together (B.6 and B.7). */
export function countPrecinctsAndCodeBlocks(tile: ReferenceGridBox, style: Jpeg2000CodingStyle): TilePrecinctCounts {
  let precincts = 0
  let codeBlocks = 0
  let mostPrecincts = 0
  for (const [resolution, [width, height]] of style.precincts.entries()) {
    const box = reduceGridBox(tile, style.levels - resolution)
    const count = cells(box.left, box.right, width) * cells(box.top, box.bottom, height)
    precincts += count
    mostPrecincts = Math.max(mostPrecincts, count)
    // The three bands of a resolution are half as large as it, and so are their precincts; the smallest has one band.
    const half = resolution === 0 ? 0 : 1
    const band = reduceGridBox(box, half)
    const across = cells(band.left, band.right, Math.max(0, Math.min(style.blockWidth, width - half)))
    const down = cells(band.top, band.bottom, Math.max(0, Math.min(style.blockHeight, height - half)))
    codeBlocks += across * down * (resolution === 0 ? 1 : 3)
  }
  return { precincts, codeBlocks, mostPrecincts }
}

function cells(from: number, to: number, exponent: number): number {
  return to > from ? Math.ceil(to / 2 ** exponent) - Math.floor(from / 2 ** exponent) : 0
}
