import { limits } from '@swath/contract/limits.ts'
import { geometryBounds } from '@swath/geo/bbox.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { metresToDegrees } from '@swath/geo/web-mercator.ts'
import { tileBoundsMetres, findTilesInBounds, type Tile } from '@swath/geo/tile-grid.ts'

const tile_pixels = 256
const max_tiles = 4

/** The tiles of the deepest level at which an area is in at most four tiles. */
export function findTilesOfArea(area: AreaGeometry, max_zoom: number = limits.max_zoom): Tile[] {
  const bounds = geometryBounds(area)
  for (let z = Math.min(max_zoom, limits.max_zoom); z > 0; z -= 1) {
    const { columns, rows } = findTilesInBounds(bounds, z)
    const columnCount = columns.reduce((sum, [from, to]) => sum + to - from, 0)
    if (columnCount * (rows[1] - rows[0]) <= max_tiles) return listTiles(z, columns, rows)
  }
  return [{ z: 0, x: 0, y: 0 }]
}

const range = ([from, to]: readonly [number, number]): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index)

const listTiles = (z: number, columns: readonly [number, number][], rows: [number, number]): Tile[] =>
  columns.flatMap((span) => range(span).flatMap((x) => range(rows).map((y) => ({ z, x, y }))))

/** The area on the Earth of the pixels in each row of a tile, relative to that of a pixel at the equator. */
export function computeTileRowWeights(tile: Tile): Float64Array {
  const [, south, , north] = tileBoundsMetres(tile)
  const step = (north - south) / tile_pixels
  return Float64Array.from({ length: tile_pixels }, (_, row) => {
    const [, latitude] = metresToDegrees(0, north - (row + 0.5) * step)
    return Math.cos((latitude * Math.PI) / 180) ** 2
  })
}
