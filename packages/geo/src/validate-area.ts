import { coordinateExtent, isExtentWithin } from './coordinate-extent.ts'
import { findEdgeCrossing } from './crossings.ts'
import type { CrossingTestRing } from './crossings.ts'
import type { AreaGeometry, Position } from './geojson.ts'
import { locatePointInRing } from './point-in-ring.ts'
import { unitePolygonParts } from './polygon-union.ts'
import { TooManyEdgesError } from './slabs.ts'
import type { Bounds } from './tile-grid.ts'
import { createStepBudget, spendSteps, steps_per_position, tooManyStepsReason, type StepBudget } from './step-budget.ts'

/** Why a geometry is invalid, and where: a path such as `coordinates[0][3]`. The reason is shown to users. */
export interface AreaGeometryError {
  readonly reason: string
  readonly path: string
}

export interface GeometryLimits {
  /** Positions of all rings together, including the repeated last ones. */
  readonly max_vertices: number
  readonly max_rings: number
}

export const defaultGeometryLimits: GeometryLimits = { max_vertices: 10_000, max_rings: 1_000 }

export type AreaGeometryValidation =
  | { readonly geometry: AreaGeometry; readonly error: null }
  | { readonly geometry: null; readonly error: AreaGeometryError }

/**
 * Validates a GeoJSON Polygon or MultiPolygon in degrees, in this order: structure, size, every number, closed rings of at
 * least four positions, no edge of half the globe or more (RFC 7946 section 3.1.9 requires to cut such polygons at the
 * 180° meridian), no edges of a polygon that cross or overlap, holes inside their polygon. Returns the geometry or the first
 * error; polygons of one geometry that overlap are united, so that nothing of it counts twice. Never throws.
 *
 * @param budget shared by the geometries of a call.
 */
export function validateAreaGeometry(
  value: unknown,
  limits: Partial<GeometryLimits> = {},
  budget: StepBudget = createStepBudget(),
): AreaGeometryValidation {
  const error = findError(value, { ...defaultGeometryLimits, ...limits }, budget)
  if (error) return { geometry: null, error }
  try {
    return { geometry: unitePolygonParts(value as AreaGeometry, budget), error: null }
  } catch (cause) {
    if (!(cause instanceof TooManyEdgesError)) throw cause
    return { geometry: null, error: { reason: tooManyStepsReason, path: 'coordinates' } }
  }
}

function findError(value: unknown, limits: GeometryLimits, budget: StepBudget): AreaGeometryError | null {
  if (!isRecord(value)) return { reason: 'is not a polygon: GeoJSON with "type" and "coordinates" is needed', path: '' }
  const { type, coordinates } = value
  if (type !== 'Polygon' && type !== 'MultiPolygon') {
    return { reason: 'must be a Polygon or MultiPolygon', path: 'type' }
  }
  if (!Array.isArray(coordinates) || coordinates.length === 0) {
    return { reason: `has no coordinates, which a ${type} needs`, path: 'coordinates' }
  }
  const polygons: unknown[] = type === 'Polygon' ? [coordinates] : coordinates
  const rings: IndexedRing[] = []
  let vertices = 0
  for (const [index, polygon] of polygons.entries()) {
    const path = type === 'Polygon' ? 'coordinates' : `coordinates[${index}]`
    if (!Array.isArray(polygon) || polygon.length === 0) return { reason: 'a polygon must be a list of rings', path }
    for (const [at, ring] of (polygon as unknown[]).entries()) {
      const ringPath = `${path}[${at}]`
      if (!Array.isArray(ring)) return { reason: 'a ring must be a list of positions', path: ringPath }
      vertices += ring.length
      if (vertices > limits.max_vertices) {
        return { reason: `has more than ${limits.max_vertices} positions: simplify it`, path: 'coordinates' }
      }
      if (rings.length >= limits.max_rings) {
        return { reason: `has more than ${limits.max_rings} rings: simplify it`, path: 'coordinates' }
      }
      if (!spendSteps(budget, ring.length * steps_per_position)) return { reason: tooManyStepsReason, path: ringPath }
      const error = findRingError(ring, ringPath)
      if (error) return error
      const positions = ring as Position[]
      rings.push({ path: ringPath, positions, extent: coordinateExtent(positions), polygon: index, isHole: at > 0 })
    }
  }
  return findTopologyError(rings, budget)
}

function findTopologyError(rings: readonly IndexedRing[], budget: StepBudget): AreaGeometryError | null {
  let error: AreaGeometryError | null = null
  for (const polygon of Map.groupBy(rings, (ring) => ring.polygon).values())
    error ??= findCrossingError(polygon, budget)
  error ??= findHoleError(rings, budget)
  return error ?? (budget.remaining_steps < 0 ? { reason: tooManyStepsReason, path: 'coordinates' } : null)
}

interface IndexedRing extends CrossingTestRing {
  readonly path: string
  readonly extent: Bounds
  readonly polygon: number
  readonly isHole: boolean
}

function findRingError(ring: readonly unknown[], path: string): AreaGeometryError | null {
  for (const [at, position] of ring.entries()) {
    const reason = findPositionError(position)
    if (reason) return { reason, path: `${path}[${at}]` }
  }
  const positions = ring as readonly Position[]
  if (positions.length < 4)
    return { reason: 'a ring must have at least four positions, of which the last repeats the first', path }
  const [first, last] = [positions[0]!, positions.at(-1)!]
  if (first[0] !== last[0] || first[1] !== last[1]) {
    return { reason: 'a ring must be closed: its last position repeats the first', path }
  }
  if (new Set(positions.map(([x, y]) => `${x},${y}`)).size < 3) {
    return { reason: 'a ring must have at least three different positions', path }
  }
  for (let at = 0; at + 1 < positions.length; at++) {
    const span = Math.abs(positions[at + 1]![0] - positions[at]![0])
    if (span >= 180 && span < 360) {
      return {
        reason:
          'an edge spans half the globe or more: an area across the 180° meridian is a MultiPolygon of two polygons that are cut there',
        path: `${path}[${at}]`,
      }
    }
  }
  return null
}

function findPositionError(position: unknown): string | null {
  if (!Array.isArray(position) || position.length < 2 || position.length > 4) {
    return 'a position must be a list of longitude and latitude'
  }
  if (!position.every((number) => typeof number === 'number' && Number.isFinite(number))) {
    return 'the coordinates of a position must be numbers'
  }
  const [longitude, latitude] = position as [number, number]
  if (longitude < -180 || longitude > 180) return `longitude ${longitude} is not between -180 and 180`
  if (latitude < -90 || latitude > 90) return `latitude ${latitude} is not between -90 and 90`
  return null
}

function findCrossingError(rings: readonly IndexedRing[], budget: StepBudget): AreaGeometryError | null {
  const crossing = findEdgeCrossing(rings, budget)
  if (!crossing) return null
  if (crossing === 'too-complex') return { reason: tooManyStepsReason, path: 'coordinates' }
  const [x, y] = crossing.near
  const where = `near ${x.toFixed(6)}, ${y.toFixed(6)}`
  const path = `${rings[crossing.ring]!.path}[${crossing.edge}]`
  return {
    reason: `the border of the polygon crosses or touches itself ${where}: draw it anew, or cut it into polygons that do not cross`,
    path,
  }
}

function findHoleError(rings: readonly IndexedRing[], budget: StepBudget): AreaGeometryError | null {
  for (const ring of rings) {
    if (!ring.isHole) continue
    const outer = rings.find((other) => other.polygon === ring.polygon)!
    // No edges cross, so one position that is not on the boundary decides for all.
    if (locateRing(ring, outer, budget) === 'outside')
      return { reason: 'a hole must lie inside its polygon', path: ring.path }
  }
  return null
}

/** The position of a ring relative to another one whose edges it does not cross; `border` also without steps to find it. */
function locateRing(
  { positions, extent }: IndexedRing,
  { positions: others, extent: outer }: IndexedRing,
  budget: StepBudget,
): 'inside' | 'outside' | 'border' {
  if (spendSteps(budget, 1) && !isExtentWithin(extent, outer)) return 'outside'
  for (const [x, y] of positions) {
    if (!spendSteps(budget, others.length)) break
    const side = locatePointInRing(x, y, others)
    if (side !== 'border') return side
  }
  return 'border'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
