import { listPolygonRings, type AreaGeometry } from '../geojson.ts'
import { createSurfacePointAxes, type SurfacePointAxes } from './view-angles.ts'
import { angleBetween, radians_per_degree } from './vector.ts'

/** Points of a boundary are at most this far apart, unless there would be too many. */
const spacing_km = 10
const earth_radius_km = 6371
const max_points = 64

/**
 * The centre of an area: the mean direction of its outer vertices weighted by the length of their edges, so that an area
 * across the antimeridian or around a pole has one too.
 */
export function computeAreaCenter(geometry: AreaGeometry): SurfacePointAxes {
  let [x, y, z] = [0, 0, 0]
  for (const [outer = []] of listPolygonRings(geometry)) {
    const points = outer.map(([longitude, latitude]) => createSurfacePointAxes(longitude, latitude))
    for (let at = 0; at + 1 < points.length; at++) {
      const [from, to] = [points[at]!, points[at + 1]!]
      const weight = angleBetween(from.up, to.up)
      x += (from.up[0] + to.up[0]) * weight
      y += (from.up[1] + to.up[1]) * weight
      z += (from.up[2] + to.up[2]) * weight
    }
  }
  return createSurfacePointAxes(
    Math.atan2(y, x) / radians_per_degree,
    Math.atan2(z, Math.hypot(x, y)) / radians_per_degree,
  )
}

/** The centre of an area and points of its outer boundary, for `findSatellitePasses`. */
export function sampleAreaPoints(geometry: AreaGeometry): SurfacePointAxes[] {
  const edges = listPolygonRings(geometry).flatMap(([outer = []]) =>
    outer.slice(1).map((to, at) => ({ from: outer[at]!, to })),
  )
  const points = edges.flatMap(({ from, to }) => {
    const start = createSurfacePointAxes(from[0], from[1])
    const length_km = angleBetween(start.up, createSurfacePointAxes(to[0], to[1]).up) * earth_radius_km
    const count = Math.max(1, Math.min(max_points, Math.ceil(length_km / spacing_km)))
    return Array.from({ length: count }, (_, at) =>
      createSurfacePointAxes(from[0] + ((to[0] - from[0]) * at) / count, from[1] + ((to[1] - from[1]) * at) / count),
    )
  })
  const stride = Math.max(1, Math.ceil(points.length / max_points))
  return [computeAreaCenter(geometry), ...points.filter((_, at) => at % stride === 0)]
}
