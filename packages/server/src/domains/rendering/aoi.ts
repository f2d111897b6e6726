import type { Area } from '@swath/contract/shapes/geojson.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { validationProblem } from '../../engine/problem.ts'
import { geometryFault } from '../items/geometry.ts'

const limit_positions = 20_000

/** Parses an area as GeoJSON text; null if absent. Throws `validation` for anything but a valid polygon. */
export function readArea(text: string | null | undefined): AreaGeometry | null {
  return text === null || text === undefined || text === '' ? null : checkArea(parse(text), 'aoi')
}

/** Validates a parsed area, in the field `path`. */
export function checkArea(area: unknown, path: string): AreaGeometry {
  const type = typeof area === 'object' && area !== null && 'type' in area ? area.type : null
  if (type !== 'Polygon' && type !== 'MultiPolygon') {
    throw validationProblem([{ path, message: 'is not a GeoJSON Polygon or MultiPolygon' }])
  }
  const fault = geometryFault(area, path)
  if (fault) throw validationProblem([fault])
  const polygon = area as Area
  const positions = ringsOf(polygon).reduce((sum, ring) => sum + ring.length, 0)
  if (positions > limit_positions) {
    throw validationProblem([{ path, message: `has more than ${limit_positions} positions` }])
  }
  // Its positions were just validated.
  return polygon as unknown as AreaGeometry
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const ringsOf = (area: Area): number[][][] => (area.type === 'Polygon' ? area.coordinates : area.coordinates.flat())
