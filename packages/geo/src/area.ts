import { polygonsOf } from './geojson.ts'
import type { AreaGeometry, Ring } from './geojson.ts'
import { FLATTENING, SEMI_MAJOR_AXIS_M, geodesicInverse, geodesicDirect } from './geodesic.ts'

const RADIANS = Math.PI / 180
const E2 = FLATTENING * (2 - FLATTENING)
const E = Math.sqrt(E2)
/** The authalic function at the pole, and the radius of the sphere with the surface area of the ellipsoid. */
const AUTHALIC_POLE = authalic(1)
const AUTHALIC_RADIUS_M = SEMI_MAJOR_AXIS_M * Math.sqrt(AUTHALIC_POLE / 2)
/** Longer edges are cut: on the authalic sphere a geodesic is only approximately a great circle. */
const MAX_PIECE_M = 50_000
const MAX_PIECES = 400

/**
 * Area in square kilometres of a polygon on the WGS 84 ellipsoid, without its holes; edges are geodesics. Computed on the
 * authalic sphere, which preserves area but not geodesics, so edges are cut into pieces of 50 km first. Agrees with
 * GeographicLib to better than one part in a million.
 */
export function geometryArea_km2(geometry: AreaGeometry): number {
  let total = 0
  for (const [outer, ...holes] of polygonsOf(geometry)) {
    if (!outer) continue
    total += ringArea_km2(outer)
    for (const hole of holes) total -= ringArea_km2(hole)
  }
  return Math.max(0, total)
}

/** Area in square kilometres of one ring of either orientation; a ring around a pole contains the pole. */
export function ringArea_km2(ring: Ring): number {
  let excess = 0
  let totalLongitude = 0
  for (let at = 0; at < ring.length; at++) {
    const [x1, y1] = ring[at]!
    const [x2, y2] = ring[(at + 1) % ring.length]!
    if (x1 === x2 && y1 === y2) continue
    const points = densifyEdge(x1, y1, x2, y2)
    for (let step = 0; step + 1 < points.length; step++) excess += sphericalExcess(points[step]!, points[step + 1]!)
    totalLongitude += points.at(-1)![0] - points[0]![0]
  }
  // Around a pole the sum is the area between ring and equator: the cap is the rest of the hemisphere.
  const isCap = Math.abs(Math.round(totalLongitude / 360)) === 1
  const inside = isCap ? 2 * Math.PI - Math.abs(excess) : Math.abs(excess)
  return (inside * AUTHALIC_RADIUS_M ** 2) / 1e6
}

/**
 * Area in square kilometres between two parallels of a piece whose width in degrees changes linearly with latitude.
 * Simpson's rule: accurate for pieces of at most one degree of latitude.
 */
export function bandArea_km2(south: number, north: number, width_south: number, width_north: number): number {
  const ring = (latitude: number): number => {
    const sine = Math.sin(latitude * RADIANS)
    return Math.cos(latitude * RADIANS) / (1 - E2 * sine * sine) ** 2
  }
  const middle = (south + north) / 2
  const sum =
    ring(south) * width_south + 4 * ring(middle) * ((width_south + width_north) / 2) + ring(north) * width_north
  return (((north - south) * RADIANS * RADIANS * sum) / 6) * ((SEMI_MAJOR_AXIS_M ** 2 * (1 - E2)) / 1e6)
}

type Degrees = readonly [longitude: number, latitude: number]

// An edge of 360 degrees, as in the outline of the world, follows its parallel; any other is the shortest geodesic.
function densifyEdge(x1: number, y1: number, x2: number, y2: number): Degrees[] {
  if (Math.abs(x2 - x1) === 360) return densifyParallel(x1, y1, x2, y2)
  const end = x2 - 360 * Math.round((x2 - x1) / 360)
  const geodesic = x1 === end ? null : geodesicInverse(x1, y1, end, y2)
  if (!geodesic)
    return [
      [x1, y1],
      [end, y2],
    ]
  const pieces = Math.min(MAX_PIECES, Math.ceil(geodesic.metres / MAX_PIECE_M))
  const inner = Array.from({ length: Math.max(0, pieces - 1) }, (_, at) =>
    geodesicDirect(x1, y1, { ...geodesic, metres: (geodesic.metres * (at + 1)) / pieces }),
  )
  return [[x1, y1], ...inner, [end, y2]]
}

function densifyParallel(x1: number, y1: number, x2: number, y2: number): Degrees[] {
  const pieces = Math.ceil(Math.abs(x2 - x1) / 0.5)
  return Array.from({ length: pieces + 1 }, (_, at): Degrees => [
    x1 + ((x2 - x1) * at) / pieces,
    y1 + ((y2 - y1) * at) / pieces,
  ])
}

// Spherical excess between a great-circle arc and the equator, signed by the direction in longitude.
function sphericalExcess([x1, y1]: Degrees, [x2, y2]: Degrees): number {
  if (x1 === x2) return 0
  const t1 = halfTangent(y1)
  const t2 = halfTangent(y2)
  return 2 * Math.atan((Math.tan(((x2 - x1) * RADIANS) / 2) * (t1 + t2)) / (1 + t1 * t2))
}

/** Tangent of half the authalic latitude. */
function halfTangent(latitude: number): number {
  const sine = Math.min(1, Math.max(-1, authalic(Math.sin(latitude * RADIANS)) / AUTHALIC_POLE))
  return sine / (1 + Math.sqrt((1 - sine) * (1 + sine)))
}

// Snyder, "Map projections: a working manual" (1987), equation 3-12.
function authalic(sine: number): number {
  return (1 - E2) * (sine / (1 - E2 * sine * sine) + Math.atanh(E * sine) / E)
}
