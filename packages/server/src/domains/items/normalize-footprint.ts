import { splitGeometry, type WideGeometry } from '@swath/geo/antimeridian.ts'
import { boxAround } from '@swath/geo/bbox.ts'
import { layoutOf, mapNested } from '@swath/geo/geometry-types.ts'
import { isObject } from './stac-in/document.ts'
import { geometryShape } from './stac-in/geometry-shape.ts'

type Position = readonly [number, number, ...number[]]
type Line = readonly Position[]

/** True where two positions that follow each other are further apart than half the Earth. */
const jumps = (line: Line): boolean => line.some(([x], at) => at > 0 && Math.abs(x - line[at - 1]![0]) > 180)

/**
 * A line or ring that jumps from one side of the antimeridian to the other, reckoned on beyond 180 degrees. Positions tell no
 * more than that they are far apart; a box whose west lies east of its east (RFC 7946 section 5.2) tells which way.
 */
function unwrap(geometry: WideGeometry, west: number, east: number): WideGeometry {
  const depth = layoutOf(geometry.type)?.depth ?? 0
  if (depth === 0) return geometry
  const middle = (west + east) / 2
  const turn = (line: Line): Line =>
    jumps(line) ? line.map(([x, ...rest]) => [x < middle ? x + 360 : x, ...rest] as Position) : line
  // The lists of positions lie one above the positions themselves.
  return { ...geometry, coordinates: mapNested(geometry.coordinates, depth - 1, turn) as WideGeometry['coordinates'] }
}

function isBeyond(coordinates: unknown): boolean {
  const [west, , east] = boxAround(coordinates)
  return west < -180 || east > 180
}

/**
 * A footprint within ±180 degrees: what crosses the antimeridian is cut there (RFC 7946 section 3.1.9), whether its
 * longitudes run on beyond 180 degrees or jump to the other side under a box that crosses. What is not a geometry, or
 * reaches further than any meaning, comes back as it is, for the check that follows to refuse.
 */
export function normalizeFootprint(geometry: unknown, bbox: readonly unknown[] | null = null): unknown {
  if (!isObject(geometry)) return geometry
  const { type, geometries } = geometry
  if (type === 'GeometryCollection' && Array.isArray(geometries)) {
    return { ...geometry, geometries: geometries.map((member) => normalizeFootprint(member, bbox)) }
  }
  if (!geometryShape(geometry)) return geometry
  const [west, east] = bbox ? [bbox[0], bbox[bbox.length / 2]] : []
  const crosses = typeof west === 'number' && typeof east === 'number' && west > east
  const given = geometry as unknown as WideGeometry
  const wide = crosses ? unwrap(given, west, east) : given
  if (!isBeyond(wide.coordinates)) return geometry
  const split = splitGeometry(wide)
  return split ? { ...geometry, ...split } : geometry
}
