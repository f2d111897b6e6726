import { type FlatCoordinates, type Trapezoid, flattenRing, geometryArea_km2, signedArea_km2 } from './area.ts'
import { type AreaGeometry, type Ring, listPolygonRings } from './geojson.ts'
import { joinTrapezoids } from './rings.ts'
import { computeSignedPlanarArea } from './signed-area.ts'
import { TooManyEdgesError, cutIntoTrapezoids, requireSteps } from './slabs.ts'
import { createStepBudget, type StepBudget } from './step-budget.ts'

/**
 * The part of a ring inside a trapezoid (Sutherland-Hodgman). Disjoint parts stay connected along the sides of the
 * trapezoid in both directions, which adds no area. The cost is linear in the number of edges.
 */
function clipRing(ring: FlatCoordinates, { south, north, west, east }: Trapezoid): FlatCoordinates {
  const height = north - south
  const above = clipHalfPlane(ring, (_, y) => y - south)
  const between = clipHalfPlane(above, (_, y) => north - y)
  const right = clipHalfPlane(between, (x, y) => (x - west[0]) * height - (west[1] - west[0]) * (y - south))
  return clipHalfPlane(right, (x, y) => (east[1] - east[0]) * (y - south) - (x - east[0]) * height)
}

/** The part of a ring where the signed distance is zero or positive. */
function clipHalfPlane(ring: FlatCoordinates, distance: (x: number, y: number) => number): FlatCoordinates {
  const clipped: number[] = []
  if (ring.length === 0) return clipped
  let [x0, y0] = [ring.at(-2)!, ring.at(-1)!]
  let from = distance(x0, y0)
  for (let at = 0; at < ring.length; at += 2) {
    const [x1, y1] = [ring[at]!, ring[at + 1]!]
    const to = distance(x1, y1)
    // Not the sign of the product, which is 0 for numbers that are small enough.
    if ((from < 0 && to > 0) || (from > 0 && to < 0)) {
      const part = from / (from - to)
      clipped.push(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part)
    }
    if (to >= 0) clipped.push(x1, y1)
    x0 = x1
    y0 = y1
    from = to
  }
  return clipped
}

/** Areas that differ by less than this part of them differ by rounding errors. */
const rounding_degrees = 1e-9

/**
 * Square kilometres that two geometries have in common; both may be concave and have holes and several parts. Symmetric, and
 * exactly the area of the one that the other contains.
 */
export const overlapArea_km2 = (a: AreaGeometry, b: AreaGeometry): number =>
  orWhole(coveredArea_km2(a, [b]), geometryArea_km2(b))

/** Square kilometres of `area` that at least one of the footprints covers, measured in the same way as a whole area. */
export const coveredArea_km2 = (area: AreaGeometry, footprints: readonly AreaGeometry[]): number =>
  measureFootprintCover(area, footprints).covered_km2

/**
 * The fraction of `area`, 0 to 1, that at least one of the footprints covers; exactly 1 if they contain it.
 *
 * @throws TooManyEdgesError if it takes more steps than the budget has.
 */
export function coveredFraction(area: AreaGeometry, footprints: readonly AreaGeometry[], budget?: StepBudget): number {
  const { covered_km2, total_km2 } = measureFootprintCover(area, footprints, budget)
  return total_km2 === 0 ? 0 : covered_km2 / total_km2
}

/** Clipping this many positions takes as long as an edge of a slab. */
const clipped_positions_per_step = 8

/**
 * Measures an area and the part of it that footprints cover. The footprints are cut into trapezoids and the area is
 * clipped to each: the cost is the number of edges of the area times that of the footprints, whatever the shape of the
 * area.
 *
 * @throws TooManyEdgesError if it takes more steps than the budget has.
 */
export function measureFootprintCover(
  area: AreaGeometry,
  footprints: readonly AreaGeometry[],
  budget: StepBudget = createStepBudget(Infinity),
): { readonly covered_km2: number; readonly total_km2: number } {
  const origin = listPolygonRings(area)[0]?.[0]?.[0]?.[0] ?? 0
  const rings = listPolygonRings(area).flatMap((polygon) =>
    polygon.map((ring, index) => measureRing(ring, index > 0, origin)),
  )
  let covered_km2 = 0
  for (const piece of cutIntoTrapezoids(footprints, (present) => present.includes(true), budget)) {
    const shiftedPiece = shiftWest(piece, origin)
    for (const ring of rings) {
      if (!boxesOverlap(ring, shiftedPiece)) continue
      requireSteps(budget, ring.positions.length / 2 / clipped_positions_per_step)
      covered_km2 += ring.weight * signedArea_km2(clipRing(ring.positions, shiftedPiece))
    }
  }
  const total_km2 = geometryArea_km2(area)
  return { covered_km2: orWhole(Math.max(0, covered_km2), total_km2), total_km2 }
}

/** The sum of the parts of a whole differs from it by rounding errors, and is never larger. */
const orWhole = (sum_km2: number, whole_km2: number): number =>
  sum_km2 > whole_km2 * (1 - rounding_degrees) ? whole_km2 : sum_km2

interface MeasuredRing {
  /** Relative to the first position of the area, so that small areas far from the origin keep their precision. */
  readonly positions: FlatCoordinates
  /** 1 or -1: makes the area of an outer ring positive and that of a hole negative. */
  readonly weight: number
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

function measureRing(ring: Ring, isHole: boolean, origin: number): MeasuredRing {
  const positions = flattenRing(ring, origin)
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < positions.length; at += 2) {
    west = Math.min(west, positions[at]!)
    east = Math.max(east, positions[at]!)
    south = Math.min(south, positions[at + 1]!)
    north = Math.max(north, positions[at + 1]!)
  }
  const weight = computeSignedPlanarArea(ring) < 0 !== isHole ? -1 : 1
  return { positions, weight, west, south, east, north }
}

const shiftWest = ({ west, east, ...sides }: Trapezoid, degrees: number): Trapezoid => ({
  ...sides,
  west: [west[0] - degrees, west[1] - degrees],
  east: [east[0] - degrees, east[1] - degrees],
})

const boxesOverlap = (ring: MeasuredRing, { south, north, west, east }: Trapezoid): boolean =>
  ring.north > south && ring.south < north && ring.east > Math.min(...west) && ring.west < Math.max(...east)

/**
 * The intersection of two geometries, as polygons with holes; null if it has no area, and the first geometry, which contains it, if it
 * takes more steps than allowed (see `cutIntoTrapezoids`).
 */
export function intersectPolygons(a: AreaGeometry, b: AreaGeometry, max_steps: number): AreaGeometry | null {
  try {
    return overlayPolygons([a, b], ([inA, inB]) => inA === true && inB === true, createStepBudget(max_steps))
  } catch (error) {
    if (error instanceof TooManyEdgesError) return a
    throw error
  }
}

/**
 * The part of the plane for which the predicate accepts the list of geometries that cover it, such as a union or a
 * difference, as polygons with holes; null if it has no area.
 *
 * @throws TooManyEdgesError if it takes more steps than allowed (see `cutIntoTrapezoids`).
 */
export function overlayPolygons(
  geometries: readonly AreaGeometry[],
  isIncluded: (present: readonly boolean[]) => boolean,
  budget?: StepBudget,
): AreaGeometry | null {
  const pieces = [...cutIntoTrapezoids(geometries, isIncluded, budget)]
  const polygons = joinTrapezoids(pieces)
  if (polygons.length === 0) return null
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons }
}
