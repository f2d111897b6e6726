import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import { boxAround } from '@swath/geo/bbox.ts'
import { layoutOf, type PositionsKind } from '@swath/geo/geometry-types.ts'

/** Why a geometry cannot be stored. */
export interface GeometryFault {
  readonly path: string
  readonly message: string
}

const limit_positions = 100_000
const limit_members = 1000

interface Reading {
  positions: number
}

/**
 * Validates a geometry before it reaches PostGIS, whose parser accepts open rings, rings of three positions and text for
 * numbers. Returns null or the first error. Requires finite numbers, longitudes within ±180 and latitudes within ±90,
 * closed rings of at least four positions, lines of two, at most 100,000 positions.
 */
export function geometryFault(geometry: unknown, path = 'geometry'): GeometryFault | null {
  return faultOf(geometry, path, { positions: 0 }, false)
}

function faultOf(geometry: unknown, path: string, reading: Reading, inside: boolean): GeometryFault | null {
  if (typeof geometry !== 'object' || geometry === null) return { path, message: 'is not a GeoJSON geometry' }
  const { type, coordinates, geometries } = geometry as { type?: unknown; coordinates?: unknown; geometries?: unknown }
  if (type === 'GeometryCollection' && !inside) {
    if (!Array.isArray(geometries) || geometries.length > limit_members) {
      return { path: `${path}.geometries`, message: `is not a list of at most ${limit_members} geometries` }
    }
    return first(geometries, (member, index) => faultOf(member, `${path}.geometries.${index}`, reading, true))
  }
  const layout = layoutOf(type)
  if (!layout) return { path: `${path}.type`, message: 'is not a type of GeoJSON geometry' }
  return listFault(coordinates, `${path}.coordinates`, layout.depth, layout.kind, reading)
}

function first<T>(list: readonly T[], check: (member: T, index: number) => GeometryFault | null): GeometryFault | null {
  for (const [index, member] of list.entries()) {
    const fault = check(member, index)
    if (fault) return fault
  }
  return null
}

function listFault(
  value: unknown,
  path: string,
  depth: number,
  kind: PositionsKind,
  reading: Reading,
): GeometryFault | null {
  if (depth === 0) return positionFault(value, path, reading)
  if (!Array.isArray(value) || value.length === 0) return { path, message: 'is empty or not a list' }
  const fault = first(value, (member, index) => listFault(member, `${path}.${index}`, depth - 1, kind, reading))
  if (fault || depth > 1 || kind === 'position') return fault
  if (kind === 'line') return value.length < 2 ? { path, message: 'a line has at least two positions' } : null
  if (value.length < 4) return { path, message: 'a ring has at least four positions' }
  const [start, end] = [value[0] as number[], value.at(-1) as number[]]
  return start[0] === end[0] && start[1] === end[1] ? null : { path, message: 'the ring is not closed' }
}

function positionFault(value: unknown, path: string, reading: Reading): GeometryFault | null {
  reading.positions++
  if (reading.positions > limit_positions) return { path, message: `more than ${limit_positions} positions` }
  if (!Array.isArray(value) || value.length < 2 || !value.every((number) => Number.isFinite(number))) {
    return { path, message: 'is not a position of finite numbers' }
  }
  const [longitude, latitude] = value as [number, number]
  if (Math.abs(longitude) > 180) return { path, message: 'the longitude is outside ±180 degrees' }
  if (Math.abs(latitude) > 90) return { path, message: 'the latitude is outside ±90 degrees' }
  return null
}

/** Number of positions of a geometry that passed `validateGeometry`. */
export function countPositions(geometry: Geometry): number {
  const reading = { positions: 0 }
  faultOf(geometry, '', reading, false)
  return reading.positions
}

/** Topological dimension: 0 points, 1 lines, 2 areas; null for a GeometryCollection. */
export const dimensionOf = (geometry: Geometry): 0 | 1 | 2 | null => layoutOf(geometry.type)?.dimension ?? null

/**
 * West, south, east, north of a geometry that passed `validateGeometry`. If parts touch the antimeridian from both sides,
 * the box crosses it: west is then greater than east.
 */
export function boxOf(geometry: Geometry): [west: number, south: number, east: number, north: number] {
  const parts = partsOf(geometry).map(boxAround)
  const south = Math.min(...parts.map((part) => part[1]))
  const north = Math.max(...parts.map((part) => part[3]))
  const [eastern, western] = [parts.filter((part) => part[2] === 180), parts.filter((part) => part[0] === -180)]
  const split = eastern.length > 0 && western.length > 0 && parts.every((part) => part[2] - part[0] < 180)
  if (!split)
    return [Math.min(...parts.map((part) => part[0])), south, Math.max(...parts.map((part) => part[2])), north]
  return [
    Math.min(...parts.filter((part) => part[0] >= 0).map((part) => part[0])),
    south,
    Math.max(...parts.filter((part) => part[0] < 0).map((part) => part[2])),
    north,
  ]
}

/** Coordinates of the parts: each polygon of a MultiPolygon, each member of a GeometryCollection. */
function partsOf(geometry: Geometry): unknown[] {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(partsOf)
  return geometry.type.startsWith('Multi') ? (geometry.coordinates as unknown[]) : [geometry.coordinates]
}
