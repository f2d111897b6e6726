import { splitGeometryAtAntimeridian, type UnwrappedGeometry } from '@swath/geo/antimeridian.ts'
import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { findCoordinateLayout, mapCoordinatesAtDepth } from '@swath/geo/geometry-types.ts'
import { isObject } from './stac/import/document.ts'
import { isGeoJsonGeometry } from './stac/import/geojson-geometry.ts'

type Position = readonly [number, number, ...number[]]
type Positions = readonly Position[]

/** True if two consecutive positions are more than 180 degrees of longitude apart. */
const jumpsAcross = (line: Positions): boolean => line.some(([x], at) => at > 0 && Math.abs(x - line[at - 1]![0]) > 180)

/**
 * Shifts lines or rings that jump across the antimeridian to longitudes beyond 180 degrees. Positions alone are ambiguous;
 * a bbox whose west is greater than its east (RFC 7946 section 5.2) tells the direction.
 */
function unwrap(geometry: UnwrappedGeometry, west: number, east: number): UnwrappedGeometry {
  const depth = findCoordinateLayout(geometry.type)?.depth ?? 0
  if (depth === 0) return geometry
  const middle = (west + east) / 2
  const shiftLine = (line: Positions): Positions =>
    jumpsAcross(line) ? line.map(([x, ...rest]) => [x < middle ? x + 360 : x, ...rest] as Position) : line
  // Lists of positions are one level above the positions.
  return {
    ...geometry,
    coordinates: mapCoordinatesAtDepth(geometry.coordinates, depth - 1, shiftLine) as UnwrappedGeometry['coordinates'],
  }
}

function exceedsLongitudes(coordinates: unknown): boolean {
  const [west, , east] = coordinateExtent(coordinates)
  return west < -180 || east > 180
}

/**
 * Normalizes a footprint to ±180 degrees: a geometry that crosses the antimeridian is split there (RFC 7946 section
 * 3.1.9), whether its longitudes continue beyond 180 degrees or jump to the other side with a crossing bbox. Anything
 * that is not a geometry, or exceeds the supported range, is returned unchanged for validation to reject.
 */
export function normalizeFootprint(geometry: unknown, bbox: readonly unknown[] | null = null): unknown {
  if (!isObject(geometry)) return geometry
  const { type, geometries } = geometry
  if (type === 'GeometryCollection' && Array.isArray(geometries)) {
    return { ...geometry, geometries: geometries.map((member) => normalizeFootprint(member, bbox)) }
  }
  if (!isGeoJsonGeometry(geometry)) return geometry
  const [west, east] = bbox ? [bbox[0], bbox[bbox.length / 2]] : []
  const crosses = typeof west === 'number' && typeof east === 'number' && west > east
  const original = geometry as unknown as UnwrappedGeometry
  const unwrapped = crosses ? unwrap(original, west, east) : original
  if (!exceedsLongitudes(unwrapped.coordinates)) return geometry
  const split = splitGeometryAtAntimeridian(unwrapped)
  return split ? { ...geometry, ...split } : geometry
}
