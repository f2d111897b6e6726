import type { Area } from '@swath/contract/schemas/geojson.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { validationProblem } from '../../engine/problem.ts'
import { validateGeometry } from '../items/geometry.ts'

const max_positions = 20_000

/** Parses an area as GeoJSON text; null if absent. Throws `validation` for anything but a valid polygon. */
export function parseArea(text: string | null | undefined, path = 'aoi'): AreaGeometry | null {
  return text === null || text === undefined || text === '' ? null : validateArea(parseJson(text), path)
}

/** Validates a parsed area, in the field `path`. */
export function validateArea(area: unknown, path: string): AreaGeometry {
  const type = typeof area === 'object' && area !== null && 'type' in area ? area.type : null
  if (type !== 'Polygon' && type !== 'MultiPolygon') {
    throw validationProblem([{ path, message: 'is not a GeoJSON Polygon or MultiPolygon' }])
  }
  const fieldError = validateGeometry(area, path)
  if (fieldError) throw validationProblem([fieldError])
  const polygon = area as Area
  const positions = listRings(polygon).reduce((sum, ring) => sum + ring.length, 0)
  if (positions > max_positions) {
    throw validationProblem([{ path, message: `has more than ${max_positions} positions` }])
  }
  // Its positions were just validated.
  return polygon as unknown as AreaGeometry
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const listRings = (area: Area): number[][][] => (area.type === 'Polygon' ? area.coordinates : area.coordinates.flat())
