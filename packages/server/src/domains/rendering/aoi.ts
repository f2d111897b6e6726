import { degreesToMetres } from '@swath/geo/web-mercator.ts'
import { tileBoundsMetres } from '@swath/geo/tile-grid.ts'
import type { Area } from '@swath/contract/shapes/geojson.ts'
import { validationProblem } from '../../engine/problem.ts'
import { geometryFault } from '../items/geometry.ts'

const limit_positions = 20_000

/** An area as GeoJSON text; null where none was given. Throws `validation` for anything but a sound polygon. */
export function readArea(text: string | null | undefined): Area | null {
  if (text === null || text === undefined || text === '') return null
  const area = parse(text)
  const type = typeof area === 'object' && area !== null && 'type' in area ? area.type : null
  if (type !== 'Polygon' && type !== 'MultiPolygon') {
    throw validationProblem([{ path: 'aoi', message: 'is no GeoJSON polygon' }])
  }
  const fault = geometryFault(area, 'aoi')
  if (fault) throw validationProblem([fault])
  const polygon = area as Area
  const positions = ringsOf(polygon).reduce((sum, ring) => sum + ring.length, 0)
  if (positions > limit_positions) {
    throw validationProblem([{ path: 'aoi', message: `has more than ${limit_positions} positions` }])
  }
  return polygon
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const ringsOf = (area: Area): number[][][] => (area.type === 'Polygon' ? area.coordinates : area.coordinates.flat())

interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** Clears the mask wherever the centre of a pixel of the tile lies outside the area (even-odd over all its rings). */
export function maskArea(mask: Uint8Array, size: number, tile: Tile, area: Area): void {
  const [west, south, , north] = tileBoundsMetres(tile)
  const step = (north - south) / size
  const edges = ringsOf(area).flatMap((ring) => edgesOf(ring, west, north, step))
  for (let row = 0; row < size; row++) {
    const centre = row + 0.5
    const crossings = edges
      .filter(([y0, y1]) => y0 <= centre !== y1 <= centre)
      .map(([y0, y1, x0, x1]) => x0 + ((centre - y0) / (y1 - y0)) * (x1 - x0))
      .sort((left, right) => left - right)
    clearOutside(mask.subarray(row * size, (row + 1) * size), crossings)
  }
}

type Edge = readonly [y0: number, y1: number, x0: number, x1: number]

function edgesOf(ring: readonly number[][], west: number, north: number, step: number): Edge[] {
  const points = ring.map(([longitude, latitude]) => {
    const [x, y] = degreesToMetres(longitude!, Math.max(-89.99, Math.min(89.99, latitude!)))
    return [(x - west) / step, (north - y) / step] as const
  })
  return points.slice(1).map(([x, y], index): Edge => [points[index]![1], y, points[index]![0], x])
}

/** Keeps the pixels whose centres lie between an odd crossing and the one after it. */
function clearOutside(row: Uint8Array, crossings: readonly number[]): void {
  let from = 0
  for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
    const first = Math.min(row.length, Math.max(from, Math.ceil(crossings[pair]! - 0.5)))
    const end = Math.min(row.length, Math.max(first, Math.ceil(crossings[pair + 1]! - 0.5)))
    row.fill(0, from, first)
    from = end
  }
  row.fill(0, from)
}
