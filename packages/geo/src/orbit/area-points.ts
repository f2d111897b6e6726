import { polygonsOf, type AreaGeometry } from '../geojson.ts'
import { createGroundPoint, type GroundPoint } from './view-angles.ts'
import { angleBetween, RADIANS } from './vector.ts'

/** Points of a boundary are at most this far apart, unless there would be too many. */
const SPACING_KM = 10
const EARTH_RADIUS_KM = 6371
const MAX_POINTS = 64

/**
 * The centre of an area: the mean direction of its outer vertices weighted by the length of their edges, so that an area
 * across the antimeridian or around a pole has one too.
 */
export function centerOfArea(geometry: AreaGeometry): GroundPoint {
  let [x, y, z] = [0, 0, 0]
  for (const [outer = []] of polygonsOf(geometry)) {
    const points = outer.map(([longitude, latitude]) => createGroundPoint(longitude, latitude))
    for (let at = 0; at + 1 < points.length; at++) {
      const [from, to] = [points[at]!, points[at + 1]!]
      const weight = angleBetween(from.up, to.up)
      x += (from.up[0] + to.up[0]) * weight
      y += (from.up[1] + to.up[1]) * weight
      z += (from.up[2] + to.up[2]) * weight
    }
  }
  return createGroundPoint(Math.atan2(y, x) / RADIANS, Math.atan2(z, Math.hypot(x, y)) / RADIANS)
}

/** The centre of an area and points of its outer boundary, for `findPasses`. */
export function pointsOfArea(geometry: AreaGeometry): GroundPoint[] {
  const edges = polygonsOf(geometry).flatMap(([outer = []]) =>
    outer.slice(1).map((to, at) => ({ from: outer[at]!, to })),
  )
  const points = edges.flatMap(({ from, to }) => {
    const start = createGroundPoint(from[0], from[1])
    const length_km = angleBetween(start.up, createGroundPoint(to[0], to[1]).up) * EARTH_RADIUS_KM
    const count = Math.max(1, Math.min(MAX_POINTS, Math.ceil(length_km / SPACING_KM)))
    return Array.from({ length: count }, (_, at) =>
      createGroundPoint(from[0] + ((to[0] - from[0]) * at) / count, from[1] + ((to[1] - from[1]) * at) / count),
    )
  })
  const stride = Math.max(1, Math.ceil(points.length / MAX_POINTS))
  return [centerOfArea(geometry), ...points.filter((_, at) => at % stride === 0)]
}
