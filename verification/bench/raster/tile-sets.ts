import { createHash } from 'node:crypto'
import { metresPerPixel, findTileAt, tileBoundsDegrees, findTilesInBounds, type Tile } from '@swath/geo/tile-grid.ts'
import { lonLatToCrs, computeLonLatBounds, type Raster } from '@swath/raster'
import { createRandom } from '../../prove/harness/random.ts'
import { openRasterFor } from '../../prove/harness/resources.ts'

export type TileAddress = readonly [z: number, x: number, y: number]

/** A list of tiles of one zoom, and the blocks of the file that each of them intersects. */
export interface TileSet {
  readonly name: string
  readonly tiles: readonly TileAddress[]
  /** The level of the file that is read. */
  readonly level: number
  /** Column and row of each block, tile after tile; a block is repeated for each tile. */
  readonly blocks: readonly (readonly [column: number, row: number])[]
}

const seed = 20_260
/** Steps along each side of a tile at which its position in the source is computed. */
const steps = 8

/** Opens a file, runs the work and closes the file. */
export async function withOpenRaster<Result>(file: string, work: (raster: Raster) => Result): Promise<Result> {
  await using raster = await openRasterFor(file)
  return work(raster)
}

/** Distinct tiles all over the image in pseudo-random order, the same on every machine. */
export function chooseScatteredTiles(raster: Raster, z: number, count: number): TileSet {
  const { columns, rows } = findTilesInBounds(computeLonLatBounds(raster), z)
  const all: TileAddress[] = []
  for (const [from, to] of columns)
    for (let x = from; x < to; x++) for (let y = rows[0]; y < rows[1]; y++) all.push([z, x, y])
  const random = createRandom(seed + z)
  const shuffled = all.filter((tile) => hasCentre(raster, tile)).map((tile) => ({ tile, key: random() }))
  const tiles = shuffled.sort((a, b) => a.key - b.key).map(({ tile }) => tile)
  return describeSet(raster, `z${z}`, z, tiles.slice(0, count))
}

/** Adjacent tiles, row after row, as requested by a user who pans over a map. */
export function chooseNeighbouringTiles(raster: Raster, z: number, count: number): TileSet {
  const [west, south, east, north] = computeLonLatBounds(raster)
  const first = findTileAt(west + (east - west) * 0.15, north - (north - south) * 0.15, z)
  const tilesPerRow = Math.ceil(Math.sqrt(count * 1.5))
  const tiles = Array.from({ length: count }, (_, index): TileAddress => {
    return [z, first.x + (index % tilesPerRow), first.y + Math.floor(index / tilesPerRow)]
  })
  return describeSet(raster, `z${z}`, z, tiles)
}

/** A short hash of the list, to see that two runs used the same tiles. */
export function hashTiles(tiles: readonly TileAddress[]): string {
  return createHash('sha256').update(JSON.stringify(tiles)).digest('hex').slice(0, 8)
}

function hasCentre(raster: Raster, [z, x, y]: TileAddress): boolean {
  const [x0, y0, x1, y1] = computePixelBounds(raster, { z, x, y })
  const [column, row] = [(x0 + x1) / 2, (y0 + y1) / 2]
  return column > 0 && column < raster.width && row > 0 && row < raster.height
}

function describeSet(raster: Raster, name: string, z: number, tiles: readonly TileAddress[]): TileSet {
  const level = levelFor(raster, z)
  const blocks = tiles.flatMap(([, x, y]) => listBlocks(raster, level, { z, x, y }))
  return { name, tiles, level, blocks }
}

/** The box around a tile in pixels of the full level. */
function computePixelBounds(raster: Raster, tile: Tile): [x0: number, y0: number, x1: number, y1: number] {
  const [west, south, east, north] = tileBoundsDegrees(tile)
  const [a, b, , d, , f] = raster.affine
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let step = 0; step <= steps; step++)
    for (const [longitude, latitude] of [
      [west + ((east - west) * step) / steps, south],
      [west + ((east - west) * step) / steps, north],
      [west, south + ((north - south) * step) / steps],
      [east, south + ((north - south) * step) / steps],
    ] as const) {
      const [eastward, northward] = lonLatToCrs(raster.crs, longitude, latitude)
      const [x, y] = [(eastward - a) / b, (northward - d) / f]
      ;[x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)]
    }
  return [x0, y0, x1, y1]
}

// The overview choice of gdalwarp, with the resolution in the middle of the image.
function levelFor(raster: Raster, z: number): number {
  const [west, south, east, north] = computeLonLatBounds(raster)
  const middle = (south + north) / 2
  const metresPerTilePixel = metresPerPixel(z) * Math.cos((middle * Math.PI) / 180)
  const metres = raster.crs.geographic ? 111_320 : 1
  const ratio = metresPerTilePixel / (Math.abs(raster.affine[1]) * metres)
  const scales = raster.levels.map(({ width }) => raster.width / width)
  const stop = scales.findIndex((scale, level) => {
    const next = scales[level + 1] ?? Infinity
    return ratio <= 1 || Math.abs(scale - ratio) < 0.1 || (scale < ratio && next > ratio)
  })
  return east > west && stop >= 0 ? stop : raster.levels.length - 1
}

function listBlocks(raster: Raster, index: number, tile: Tile): [column: number, row: number][] {
  const { width, height, block } = raster.levels[index]!
  const [sx, sy] = [raster.width / width, raster.height / height]
  const [x0, y0, x1, y1] = computePixelBounds(raster, tile)
  const columns = listRange(x0 / sx, x1 / sx, width, block[0])
  const rows = listRange(y0 / sy, y1 / sy, height, block[1])
  return rows.flatMap((row) => columns.map((column): [number, number] => [column, row]))
}

function listRange(low: number, high: number, size: number, block: number): number[] {
  const from = Math.floor(Math.max(0, low) / block)
  const to = Math.ceil(Math.min(size, high) / block)
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}
