import type { Feature, LineString, Polygon, Position } from 'geojson'
import simplify from 'simplify-js'

/** Population of a town near which the coast is detailed, since users look there. */
const least_people = 100_000
const near_degrees = 0.2
/** Metres by which an outline may be off: near towns, elsewhere, and where hardly anybody lives. */
const tolerances_m = { near: 130, usual: 1000, polar: 2500 } as const
const polar_latitude = 66
const metres_of_degree = 111_200

/** Says whether a position is near a large town. */
export type NearTowns = (position: Position) => boolean

/** @param towns with their people. */
export function findNearTowns(towns: readonly { lon: number; lat: number; population: number }[]): NearTowns {
  const cellOf = (x: number, y: number): number => Math.floor(x / near_degrees) * 10_000 + Math.floor(y / near_degrees)
  const cells = new Set<number>()
  for (const { lon, lat, population } of towns) {
    if (population < least_people) continue
    for (const dx of [-near_degrees, 0, near_degrees])
      for (const dy of [-near_degrees, 0, near_degrees]) cells.add(cellOf(lon + dx, lat + dy))
  }
  return ([x, y]) => cells.has(cellOf(x!, y!))
}

type Detail = keyof typeof tolerances_m

/** Positions of the ring of an inland water that stays: a triangle would be on the map, and is no shape that somebody knows. */
const least_water_positions = 8

/**
 * Leaves out points of lines and polygons, and polygons that become too small: few bytes where nobody looks. Holes are waters.
 *
 * @param factor of the tolerances, for shapes that may be coarser.
 */
export function simplifyShapes(features: readonly Feature[], isNear: NearTowns, factor = 1): Feature[] {
  const simplifyPart = (part: Position[]): Position[] => simplifyPositions(part, isNear, factor)
  return features.flatMap((feature): Feature[] => {
    const { type, coordinates } = feature.geometry as LineString | Polygon
    if (type === 'LineString') return [{ ...feature, geometry: { type, coordinates: simplifyPart(coordinates) } }]
    const [outer, ...inner] = coordinates.map(simplifyPart)
    if (outer!.length < 4) return []
    const waters = inner.filter((ring) => ring.length >= least_water_positions)
    return [{ ...feature, geometry: { type, coordinates: [outer!, ...waters] } }]
  })
}

/** Each stretch with its own tolerance; stretches share the point at which they meet. */
function simplifyPositions(positions: readonly Position[], isNear: NearTowns, factor: number): Position[] {
  const detailOf = (position: Position): Detail =>
    isNear(position) ? 'near' : Math.abs(position[1]!) > polar_latitude ? 'polar' : 'usual'
  const found: Position[] = []
  let start = 0
  for (let at = 1; at <= positions.length; at++) {
    const detail = detailOf(positions[start]!)
    if (at < positions.length && detailOf(positions[at]!) === detail) continue
    const stretch = positions.slice(start, Math.min(at + 1, positions.length))
    const kept = simplifyStretch(stretch, tolerances_m[detail] * factor)
    found.push(...(found.length === 0 ? kept : kept.slice(1)))
    start = at
  }
  return found
}

/** Distances are those on the ground. */
function simplifyStretch(positions: readonly Position[], tolerance_m: number): Position[] {
  const width = Math.cos((positions[0]![1]! * Math.PI) / 180)
  const points = positions.map((position) => ({ x: position[0]! * width, y: position[1]!, position }))
  return (simplify(points, tolerance_m / metres_of_degree, true) as typeof points).map(({ position }) => position)
}
