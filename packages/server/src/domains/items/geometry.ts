import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import {
  createGeometryRepairBudget,
  spendGeometryRepairBudget,
  spendLineBudget,
  type GeometryRepairBudget,
} from '@swath/geo/repair-cost.ts'
import {
  createStepBudget,
  spendSteps,
  steps_per_position,
  tooManyStepsReason,
  type StepBudget,
} from '@swath/geo/step-budget.ts'
import { findCoordinateLayout, type CoordinateArrayKind } from '@swath/geo/geometry-types.ts'

/** The reason why a geometry cannot be stored. */
export interface GeometryError {
  readonly path: string
  readonly message: string
}

const max_positions = 100_000
const max_members = 1000
/** The database does nothing else meanwhile for its other users, if it is embedded. */
const max_repair_ms = 300

/** The budget for validating and repairing the geometries of one call. */
export const createGeometryBudget = (): GeometryRepairBudget => createGeometryRepairBudget(max_repair_ms)

export const tooManyCrossingsReason =
  'crosses or overlaps itself too often: send polygons whose edges do not cross and that do not overlap, or simpler lines'

/** False if too little is left for making the polygons valid, or for relations with the lines: a collection is united for these. */
function spendEdges(geometry: Geometry, budget: GeometryRepairBudget): boolean {
  const [polygons, lines] = [listPolygons(geometry), listLines(geometry)]
  if (!spendGeometryRepairBudget(polygons, budget)) return false
  return (
    lines.length === 0 ||
    spendLineBudget([...lines, ...polygons.flat()], budget, { isCollection: geometry.type === 'GeometryCollection' })
  )
}

interface PositionCounter {
  positions: number
  readonly budget: StepBudget
}

/**
 * Validates a geometry before it reaches PostGIS, whose parser accepts open rings, rings of three positions and text for
 * numbers. Returns null or the first error. Requires finite numbers, longitudes within ±180 and latitudes within ±90,
 * closed rings of at least four positions, lines of two, at most 100,000 positions; and polygons that PostGIS can make valid within
 * the budget, which the geometries of a call share, and lines with which it can compute relations within it.
 */
export function validateGeometry(
  geometry: unknown,
  path = 'geometry',
  budget: GeometryRepairBudget = createGeometryBudget(),
): GeometryError | null {
  const error = findGeometryError(geometry, path, { positions: 0, budget }, false)
  if (error || spendEdges(geometry as Geometry, budget)) return error
  return { path, message: budget.remaining_steps < 0 ? tooManyStepsReason : tooManyCrossingsReason }
}

/** The polygons of a geometry, as lists of rings; those of a collection, too. */
export function listPolygons(geometry: Geometry): number[][][][] {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(listPolygons)
  if (geometry.type === 'MultiPolygon') return geometry.coordinates
  return geometry.type === 'Polygon' ? [geometry.coordinates] : []
}

/** The lines of a geometry, as lists of positions; those of a collection, too. */
export function listLines(geometry: Geometry): number[][][] {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(listLines)
  if (geometry.type === 'MultiLineString') return geometry.coordinates
  return geometry.type === 'LineString' ? [geometry.coordinates] : []
}

function findGeometryError(
  geometry: unknown,
  path: string,
  counter: PositionCounter,
  isNested: boolean,
): GeometryError | null {
  if (typeof geometry !== 'object' || geometry === null) return { path, message: 'is not a GeoJSON geometry' }
  const { type, coordinates, geometries } = geometry as { type?: unknown; coordinates?: unknown; geometries?: unknown }
  if (type === 'GeometryCollection' && !isNested) {
    if (!Array.isArray(geometries) || geometries.length > max_members) {
      return { path: `${path}.geometries`, message: `is not a list of at most ${max_members} geometries` }
    }
    return firstError(geometries, (member, index) =>
      findGeometryError(member, `${path}.geometries.${index}`, counter, true),
    )
  }
  const layout = findCoordinateLayout(type)
  if (!layout) return { path: `${path}.type`, message: 'is not a type of GeoJSON geometry' }
  return findListError({
    value: coordinates,
    path: `${path}.coordinates`,
    depth: layout.depth,
    kind: layout.kind,
    counter,
  })
}

function firstError<T>(
  list: readonly T[],
  check: (member: T, index: number) => GeometryError | null,
): GeometryError | null {
  for (const [index, member] of list.entries()) {
    const error = check(member, index)
    if (error) return error
  }
  return null
}

function findListError({
  value,
  path,
  depth,
  kind,
  counter,
}: {
  readonly value: unknown
  readonly path: string
  readonly depth: number
  readonly kind: CoordinateArrayKind
  readonly counter: PositionCounter
}): GeometryError | null {
  if (depth === 0) return findPositionError(value, path, counter)
  if (!Array.isArray(value) || value.length === 0) return { path, message: 'is empty or not a list' }
  const error = firstError(value, (member, index) =>
    findListError({ value: member, path: `${path}.${index}`, depth: depth - 1, kind, counter }),
  )
  if (error || depth > 1 || kind === 'position') return error
  if (kind === 'line') return value.length < 2 ? { path, message: 'a line has at least two positions' } : null
  if (value.length < 4) return { path, message: 'a ring has at least four positions' }
  const [start, end] = [value[0] as number[], value.at(-1) as number[]]
  return start[0] === end[0] && start[1] === end[1] ? null : { path, message: 'the ring is not closed' }
}

function findPositionError(value: unknown, path: string, counter: PositionCounter): GeometryError | null {
  counter.positions++
  if (!spendSteps(counter.budget, steps_per_position)) return { path, message: tooManyStepsReason }
  if (counter.positions > max_positions) return { path, message: `more than ${max_positions} positions` }
  if (!Array.isArray(value) || value.length < 2 || !value.every((number) => Number.isFinite(number))) {
    return { path, message: 'is not a position of two or three numbers' }
  }
  const [longitude, latitude] = value as [number, number]
  if (Math.abs(longitude) > 180) return { path, message: 'the longitude is outside ±180 degrees' }
  if (Math.abs(latitude) > 90) return { path, message: 'the latitude is outside ±90 degrees' }
  return null
}

/** Number of positions of a geometry that passed `validateGeometry`. */
export function countPositions(geometry: Geometry): number {
  const counter = { positions: 0, budget: createStepBudget(Infinity) }
  findGeometryError(geometry, '', counter, false)
  return counter.positions
}

/** Topological dimension: 0 points, 1 lines, 2 areas; null for a GeometryCollection. */
export const geometryDimension = (geometry: Geometry): 0 | 1 | 2 | null =>
  findCoordinateLayout(geometry.type)?.dimension ?? null

/**
 * West, south, east, north of a geometry that passed `validateGeometry`. If parts touch the antimeridian from both sides,
 * the box crosses it: west is then greater than east.
 */
export function computeGeometryBbox(geometry: Geometry): [west: number, south: number, east: number, north: number] {
  const parts = listParts(geometry).map(coordinateExtent)
  const south = Math.min(...parts.map((part) => part[1]))
  const north = Math.max(...parts.map((part) => part[3]))
  const [eastern, western] = [parts.filter((part) => part[2] === 180), parts.filter((part) => part[0] === -180)]
  const crossesAntimeridian = eastern.length > 0 && western.length > 0 && parts.every((part) => part[2] - part[0] < 180)
  if (!crossesAntimeridian)
    return [Math.min(...parts.map((part) => part[0])), south, Math.max(...parts.map((part) => part[2])), north]
  return [
    Math.min(...parts.filter((part) => part[0] >= 0).map((part) => part[0])),
    south,
    Math.max(...parts.filter((part) => part[0] < 0).map((part) => part[2])),
    north,
  ]
}

/** Coordinates of the parts: each polygon of a MultiPolygon, each member of a GeometryCollection. */
function listParts(geometry: Geometry): unknown[] {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(listParts)
  return geometry.type.startsWith('Multi') ? (geometry.coordinates as unknown[]) : [geometry.coordinates]
}
