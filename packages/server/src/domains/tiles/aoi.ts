import type { Area } from '@swath/contract/schemas/geojson.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { unitePolygonParts } from '@swath/geo/polygon-union.ts'
import { TooManyEdgesError } from '@swath/geo/slabs.ts'
import type { GeometryRepairBudget } from '@swath/geo/repair-cost.ts'
import { validationProblem, type FieldError } from '../../engine/problem.ts'
import { tooManyCrossingsReason, validateGeometry } from '../items/geometry.ts'

const max_positions = 20_000

/** Parses an area as GeoJSON text; null if absent. Throws `validation` for anything but a valid polygon. */
export function parseArea(text: string | null | undefined, path = 'aoi'): AreaGeometry | null {
  return text === null || text === undefined || text === '' ? null : validateArea(parseJson(text), path)
}

/**
 * Validates a parsed area, in the field `path`; the areas of a list share a budget. Polygons that
 * overlap are united. Throws `validation`.
 */
export function validateArea(area: unknown, path: string, budget?: GeometryRepairBudget): AreaGeometry {
  const fieldError = findAreaError(area, path, budget)
  if (fieldError) throw validationProblem([fieldError])
  try {
    // Its positions were just validated.
    return unitePolygonParts(area as AreaGeometry)
  } catch (error) {
    if (!(error instanceof TooManyEdgesError)) throw error
    throw validationProblem([{ path, message: tooManyCrossingsReason }])
  }
}

/** Finds the error in a parsed area; null if it is valid. */
export function findAreaError(area: unknown, path: string, budget?: GeometryRepairBudget): FieldError | null {
  const type = typeof area === 'object' && area !== null && 'type' in area ? area.type : null
  if (type !== 'Polygon' && type !== 'MultiPolygon')
    return { path, message: 'is not a GeoJSON Polygon or MultiPolygon' }
  const geometryError = validateGeometry(area, path, budget)
  if (geometryError) return geometryError
  const positions = listRings(area as Area).reduce((sum, ring) => sum + ring.length, 0)
  return positions > max_positions ? { path, message: `has more than ${max_positions} positions` } : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const listRings = (area: Area): number[][][] => (area.type === 'Polygon' ? area.coordinates : area.coordinates.flat())
