import { listPolygonRings } from './geojson.ts'
import type { AreaGeometry, Ring } from './geojson.ts'
import { wgs84_flattening, wgs84_semi_major_axis_m } from './geodesic.ts'

const radians_per_degree = Math.PI / 180
const eccentricity_squared = wgs84_flattening * (2 - wgs84_flattening)
/** The square of the semi-minor axis, in square kilometres. */
const squared_semi_minor_axis_km2 = (wgs84_semi_major_axis_m ** 2 * (1 - eccentricity_squared)) / 1e6
/** Height of the pieces that are integrated: the error is below 1e-11 of the area. */
const max_piece_degrees = 5
/** Latitudes span 180 degrees: bounds the work for invalid ones, whose area has no meaning. */
const max_pieces = 180 / max_piece_degrees
/** Gauss-Legendre quadrature with four nodes between -1 and 1 (Abramowitz and Stegun (1964), equation 25.4.30). */
const quadrature: readonly (readonly [node: number, weight: number])[] = [
  [-0.8611363115940526, 0.3478548451374538],
  [-0.3399810435848563, 0.6521451548625461],
  [0.3399810435848563, 0.6521451548625461],
  [0.8611363115940526, 0.3478548451374538],
]

/** A ring without its repeated last position: longitude and latitude alternate. */
export type FlatCoordinates = readonly number[]

/** A region between two parallels whose sides are straight in degrees. */
export interface Trapezoid {
  readonly south: number
  readonly north: number
  /** West and east along the southern side, then along the northern. */
  readonly west: readonly [south: number, north: number]
  readonly east: readonly [south: number, north: number]
}

/**
 * Area in square kilometres of a valid polygon on the WGS 84 ellipsoid, without its holes. Edges are straight in degrees of
 * longitude and latitude (RFC 7946 section 3.1.1), as everywhere in this package: the area of an intersection never exceeds
 * that of its parts.
 */
export function geometryArea_km2(geometry: AreaGeometry): number {
  let total = 0
  for (const [outer, ...holes] of listPolygonRings(geometry)) {
    if (!outer) continue
    total += ringArea_km2(outer)
    for (const hole of holes) total -= ringArea_km2(hole)
  }
  return Math.max(0, total)
}

/** Area in square kilometres of one closed ring of either orientation. */
export function ringArea_km2(ring: Ring): number {
  const origin = ring[0]?.[0] ?? 0
  return Math.abs(signedArea_km2(flattenRing(ring, origin)))
}

/**
 * The positions of a closed ring without the repeated last one; longitudes are relative to an origin, so that the areas of
 * small rings keep their precision.
 */
export const flattenRing = (ring: Ring, origin: number): FlatCoordinates =>
  ring.slice(0, -1).flatMap(([x, y]) => [x - origin, y])

/**
 * Signed area in square kilometres of a ring, positive if counterclockwise. Edges that coincide in opposite directions cancel
 * each other.
 */
export function signedArea_km2(ring: FlatCoordinates): number {
  let total = 0
  for (let at = 0; at < ring.length; at += 2) {
    const next = at + 2 < ring.length ? at + 2 : 0
    const [x0, y0, x1, y1] = [ring[at]!, ring[at + 1]!, ring[next]!, ring[next + 1]!]
    if (y0 < y1) total += trapezoidArea_km2({ south: y0, north: y1, west: [0, 0], east: [x0, x1] })
    else if (y0 > y1) total -= trapezoidArea_km2({ south: y1, north: y0, west: [0, 0], east: [x1, x0] })
  }
  return total
}

/** Area in square kilometres of a trapezoid: its width and the length of a degree change with latitude. */
export function trapezoidArea_km2({ south, north, west, east }: Trapezoid): number {
  const pieces = Math.min(max_pieces, Math.max(1, Math.ceil((north - south) / max_piece_degrees)))
  const half = (north - south) / pieces / 2
  let total = 0
  for (let piece = 0; piece < pieces; piece++) {
    for (const [node, weight] of quadrature) {
      const part = (2 * piece + 1 + node) / (2 * pieces)
      const width = (1 - part) * (east[0] - west[0]) + part * (east[1] - west[1])
      total += weight * half * width * squareDegreeArea_km2(south + (north - south) * part)
    }
  }
  return total
}

/**
 * Square kilometres per square degree at a latitude: the product of the radii of curvature in the meridian and of the parallel
 * (Snyder, "Map projections: a working manual" (1987), equations 4-18 and 4-20).
 */
function squareDegreeArea_km2(latitude: number): number {
  const sine = Math.sin(latitude * radians_per_degree)
  const curvature = Math.cos(latitude * radians_per_degree) / (1 - eccentricity_squared * sine * sine) ** 2
  return radians_per_degree * radians_per_degree * squared_semi_minor_axis_km2 * curvature
}
