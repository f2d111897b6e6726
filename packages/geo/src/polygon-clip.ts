import { geometryArea_km2 } from './area.ts'
import { clipRing, straightRingArea_km2 } from './clip-ring.ts'
import type { FlatCoordinates } from './clip-ring.ts'
import { polygonsOf } from './geojson.ts'
import type { AreaGeometry, Ring } from './geojson.ts'
import { joinTrapezoids } from './rings.ts'
import { cutIntoTrapezoids } from './slabs.ts'
import type { Trapezoid } from './slabs.ts'

/** Square kilometres of `area` inside `footprint`; both may be concave and have holes and several parts. */
export function overlapArea_km2(area: AreaGeometry, footprint: AreaGeometry): number {
  return geometryArea_km2(area) * coveredFraction(area, [footprint])
}

/** Square kilometres of `area` that at least one of the footprints covers. */
export function coveredArea_km2(area: AreaGeometry, footprints: readonly AreaGeometry[]): number {
  return geometryArea_km2(area) * coveredFraction(area, footprints)
}

/**
 * The fraction of `area`, 0 to 1, that at least one of the footprints covers. Numerator and denominator are measured in
 * the same way (edges straight in degrees, on the authalic sphere), so a footprint that contains the area gives exactly 1.
 * The footprints are cut into trapezoids and the area is clipped to each: the cost is the number of edges of the area
 * times that of the footprints, whatever the shape of the area.
 */
export function coveredFraction(area: AreaGeometry, footprints: readonly AreaGeometry[]): number {
  const origin = polygonsOf(area)[0]?.[0]?.[0]?.[0] ?? 0
  const rings = polygonsOf(area).flatMap((polygon) =>
    polygon.map((ring, index) => measureRing(ring, index > 0, origin)),
  )
  const total_km2 = rings.reduce((sum, { weight, signed_km2 }) => sum + weight * signed_km2, 0)
  if (total_km2 <= 0) return 0
  let covered_km2 = 0
  for (const piece of cutIntoTrapezoids(footprints, (present) => present.includes(true))) {
    const shiftedPiece = shiftWest(piece, origin)
    for (const ring of rings) {
      if (boxesOverlap(ring, shiftedPiece))
        covered_km2 += ring.weight * straightRingArea_km2(clipRing(ring.positions, shiftedPiece))
    }
  }
  const fraction = Math.max(0, covered_km2 / total_km2)
  // The sum of the pieces differs from the whole by rounding errors.
  return fraction > 1 - 1e-9 ? 1 : fraction
}

interface MeasuredRing {
  /** Relative to the first position of the area, so that small areas far from the origin keep their precision. */
  readonly positions: FlatCoordinates
  readonly signed_km2: number
  /** 1 or -1: makes the area of an outer ring positive and that of a hole negative. */
  readonly weight: number
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

function measureRing(ring: Ring, isHole: boolean, origin: number): MeasuredRing {
  const open = ring.slice(0, -1)
  const positions = open.flatMap(([x, y]) => [x - origin, y])
  const signed_km2 = straightRingArea_km2(positions)
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < positions.length; at += 2) {
    west = Math.min(west, positions[at]!)
    east = Math.max(east, positions[at]!)
    south = Math.min(south, positions[at + 1]!)
    north = Math.max(north, positions[at + 1]!)
  }
  return { positions, signed_km2, weight: signed_km2 < 0 !== isHole ? -1 : 1, west, south, east, north }
}

const shiftWest = ({ west, east, ...sides }: Trapezoid, degrees: number): Trapezoid => ({
  ...sides,
  west: [west[0] - degrees, west[1] - degrees],
  east: [east[0] - degrees, east[1] - degrees],
})

const boxesOverlap = (ring: MeasuredRing, { south, north, west, east }: Trapezoid): boolean =>
  ring.north > south && ring.south < north && ring.east > Math.min(...west) && ring.west < Math.max(...east)

/** The intersection of two geometries, as polygons with holes; null if it has no area. */
export const intersection = (a: AreaGeometry, b: AreaGeometry): AreaGeometry | null =>
  combineAreas([a, b], ([inA, inB]) => inA === true && inB === true)

/**
 * The part of the plane for which the predicate accepts the list of geometries that cover it, such as a union or a
 * difference, as polygons with holes; null if it has no area.
 */
export function combineAreas(
  geometries: readonly AreaGeometry[],
  isIncluded: (present: readonly boolean[]) => boolean,
): AreaGeometry | null {
  const pieces = [...cutIntoTrapezoids(geometries, isIncluded)]
  const polygons = joinTrapezoids(pieces)
  if (polygons.length === 0) return null
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons }
}
