import { RasterFailure } from '../../failures.ts'
import type { RasterLevel } from '../../types.ts'
import type { Jpeg2000ImageGrid, Jpeg2000MainHeader } from './main-header.ts'
import { reduceGridBox } from './tile-geometry.ts'

export const jpeg_2000_compression_code = 34_712

const max_pixels_a_side = 4_194_304
/** Smaller overviews are of no use to anybody. */
const min_pixels_a_side = 16
/** A tile comes with all its resolutions and layers: it cannot honestly be larger than its samples several times over. */
const spare_bytes = 1_048_576

/**
 * The full image and its reductions by two, four and so on as levels whose blocks are the tiles. A reduction at which
 * the tiles would not be of one size is left out. `start` is where the first part of a tile begins in the file.
 */
export function buildJpeg2000Levels(
  header: Jpeg2000MainHeader,
  start: number,
  end: number | null,
  photometric: number,
): RasterLevel[] {
  const { grid } = header
  const [left, top] = [grid.tileLeft - grid.left, grid.tileTop - grid.top]
  if ((grid.columns > 1 && left !== 0) || (grid.rows > 1 && top !== 0)) {
    throw new RasterFailure('unsupported', 'JPEG 2000 whose first tiles are cut by the edge of the image is not read')
  }
  for (const side of [grid.right - grid.left, grid.bottom - grid.top]) {
    if (side > max_pixels_a_side) {
      throw new RasterFailure('budget', `the image is ${side} pixels long; ${max_pixels_a_side} are read`)
    }
  }
  const most = Math.min(...header.styles.map((style) => style.levels))
  const levels: RasterLevel[] = []
  for (let reduce = 0; reduce <= most; reduce++) {
    if (!isEven(grid.columns, grid.tileWidth, reduce) || !isEven(grid.rows, grid.tileHeight, reduce)) break
    const level = levelAt(header, start, end, photometric, reduce)
    if (reduce > 0 && Math.min(level.width, level.height) < min_pixels_a_side) break
    levels.push({ ...level, index: levels.length })
  }
  return levels
}

function isEven(tiles: number, size: number, reduce: number): boolean {
  return tiles === 1 || size % 2 ** reduce === 0
}

function levelAt(
  header: Jpeg2000MainHeader,
  start: number,
  end: number | null,
  photometric: number,
  reduce: number,
): RasterLevel {
  const { grid } = header
  const image = reduceGridBox(grid, reduce)
  const width = image.right - image.left
  const height = image.bottom - image.top
  const bytesPerSample = grid.bits <= 8 ? 1 : 2
  return {
    index: reduce,
    width,
    height,
    block: blockAt(grid, width, height, reduce),
    compression: jpeg_2000_compression_code,
    predictor: 1,
    planar: 1,
    photometric,
    mask: null,
    storage: {
      littleEndian: true,
      bitsPerSample: bytesPerSample * 8,
      samplesPerPixel: grid.components,
      sampleFormat: grid.signed ? 2 : 1,
      columns: grid.columns,
      rows: grid.rows,
      striped: false,
      reversedBits: false,
      offsets: { offset: 0, type: 4, count: 0 },
      byteCounts: null,
      jpegTables: null,
      lercWrapping: 0,
      jpeg2000: {
        header: header.bytes,
        reduce,
        start,
        end,
        parts: header.tileParts,
        maxTileBytes: fullTileBytes(grid, bytesPerSample) + spare_bytes,
      },
    },
  }
}

function blockAt(
  grid: Jpeg2000ImageGrid,
  width: number,
  height: number,
  reduce: number,
): [width: number, height: number] {
  return [
    grid.columns === 1 ? width : grid.tileWidth / 2 ** reduce,
    grid.rows === 1 ? height : grid.tileHeight / 2 ** reduce,
  ]
}

function fullTileBytes(grid: Jpeg2000ImageGrid, bytesPerSample: number): number {
  const width = Math.min(grid.tileWidth, grid.right - grid.left)
  const height = Math.min(grid.tileHeight, grid.bottom - grid.top)
  return width * height * grid.components * bytesPerSample
}
