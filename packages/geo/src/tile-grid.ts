import { web_mercator_extent_m, degreesToMetres, metresToDegrees } from './web-mercator.ts'

/** A tile of WebMercatorQuad: level z has 2^z × 2^z tiles over EPSG:3857, with y counted from the north. */
export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** West, south, east, north. */
export type Bounds = readonly [west: number, south: number, east: number, north: number]

/** Pixels of higher zoom levels would be smaller than a millimetre. */
export const max_zoom = 30

/** True if the tile exists. */
export function isValidTile({ z, x, y }: Tile): boolean {
  const count = 2 ** z
  return (
    Number.isInteger(z) &&
    z >= 0 &&
    z <= max_zoom &&
    Number.isInteger(x) &&
    x >= 0 &&
    x < count &&
    Number.isInteger(y) &&
    y >= 0 &&
    y < count
  )
}

/** The bounds of a tile in EPSG:3857 metres. */
export function tileBoundsMetres({ z, x, y }: Tile): Bounds {
  const side = (2 * web_mercator_extent_m) / 2 ** z
  const west = x * side - web_mercator_extent_m
  const north = web_mercator_extent_m - y * side
  return [west, north - side, west + side, north]
}

/** The bounds of a tile in degrees of longitude and latitude. */
export function tileBoundsDegrees(tile: Tile): Bounds {
  const [west, south, east, north] = tileBoundsMetres(tile)
  const [w, s] = metresToDegrees(west, south)
  const [e, n] = metresToDegrees(east, north)
  return [w, s, e, n]
}

/** The tile that contains a position; for a position outside the grid the nearest tile. */
export function findTileAt(longitude: number, latitude: number, z: number): Tile {
  const [east, north] = degreesToMetres(longitude, latitude)
  const count = 2 ** z
  const toTileIndex = (metres: number): number => {
    const index = Math.floor((metres / (2 * web_mercator_extent_m)) * count)
    return Math.min(count - 1, Math.max(0, index))
  }
  return { z, x: toTileIndex(web_mercator_extent_m + east), y: toTileIndex(web_mercator_extent_m - north) }
}

/**
 * The tiles of a zoom level that intersect a box in degrees, as half-open ranges of columns and rows. A box with
 * west > east crosses the 180° meridian and has two ranges of columns.
 */
export function findTilesInBounds(
  bounds: Bounds,
  z: number,
): { columns: [from: number, to: number][]; rows: [number, number] } {
  const [west, south, east, north] = bounds
  const first = findTileAt(west, north, z)
  const last = findTileAt(east, south, z)
  const rows: [number, number] = [first.y, last.y + 1]
  if (west <= east) return { columns: [[first.x, last.x + 1]], rows }
  return {
    columns: [
      [first.x, 2 ** z],
      [0, last.x + 1],
    ],
    rows,
  }
}

/** EPSG:3857 metres per pixel at a zoom level, for tiles of `size` pixels. */
export function metresPerPixel(z: number, size = 256): number {
  return (2 * web_mercator_extent_m) / 2 ** z / size
}

/** The (fractional) zoom level with a resolution in EPSG:3857 metres per pixel. */
export function computeZoomForResolution(metres_per_pixel: number, size = 256): number {
  return Math.log2((2 * web_mercator_extent_m) / size / metres_per_pixel)
}
