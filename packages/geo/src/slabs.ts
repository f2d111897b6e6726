import type { Trapezoid } from './area.ts'
import { listPolygonRings } from './geojson.ts'
import type { AreaGeometry, Ring } from './geojson.ts'
import { createStepBudget, spendSteps, type StepBudget } from './step-budget.ts'

interface Edge {
  /** Index of the geometry that the edge belongs to. */
  readonly geometryIndex: number
  /** Counts the polygons of all geometries. */
  readonly polygonIndex: number
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

/** Geometries whose edges take more steps than allowed. */
export class TooManyEdgesError extends Error {}

/** Takes steps from the budget. Throws TooManyEdgesError if too few are left. */
export function requireSteps(budget: StepBudget, steps: number): void {
  if (!spendSteps(budget, steps)) throw new TooManyEdgesError()
}

/**
 * Slab decomposition: cuts the plane of degrees into slabs at the latitudes of all vertices and crossings of the
 * geometries, and yields the trapezoids for which the predicate accepts the list of geometries that cover them. Inside a
 * slab no edges cross, so sorting is enough: holes, concave and multipart geometries need no special case (even-odd rule
 * within a polygon; polygons of a geometry that overlap are united).
 *
 * @param budget of comparisons of two edges, and of edges of a slab: both grow with the square of the positions of a comb.
 * @throws TooManyEdgesError if it needs more of them.
 */
export function* cutIntoTrapezoids(
  geometries: readonly AreaGeometry[],
  isIncluded: (present: readonly boolean[]) => boolean,
  budget: StepBudget = createStepBudget(Infinity),
): Generator<Trapezoid> {
  let polygonCount = 0
  const edges = geometries
    .flatMap((geometry, geometryIndex) =>
      listPolygonRings(geometry).flatMap((rings) => edgesOf(rings, geometryIndex, polygonCount++)),
    )
    .sort((p, q) => p.y0 - q.y0)
  const levels = slabLatitudes(edges, budget)
  let active: Edge[] = []
  let next = 0
  for (let at = 0; at + 1 < levels.length; at++) {
    const south = levels[at]!
    const north = levels[at + 1]!
    active = active.filter((edge) => edge.y1 > south)
    while (next < edges.length && edges[next]!.y0 <= south) {
      const edge = edges[next++]!
      if (edge.y1 > south) active.push(edge)
    }
    requireSteps(budget, active.length)
    yield* cutSlab({ active, geometryCount: geometries.length, south, north, isIncluded })
  }
}

function* cutSlab({
  active,
  geometryCount,
  south,
  north,
  isIncluded,
}: {
  readonly active: readonly Edge[]
  readonly geometryCount: number
  readonly south: number
  readonly north: number
  readonly isIncluded: (present: readonly boolean[]) => boolean
}): Generator<Trapezoid> {
  const sides = active
    .map((edge) => ({ ...edge, south: xAt(edge, south), north: xAt(edge, north) }))
    .sort((p, q) => p.south + p.north - (q.south + q.north))
  const covering = new Int32Array(geometryCount)
  const inside = new Set<number>()
  const present = Array.from({ length: geometryCount }, () => false)
  let west: { south: number; north: number } | null = null
  for (const side of sides) {
    const { geometryIndex, polygonIndex } = side
    const isEntered = !inside.delete(polygonIndex)
    if (isEntered) inside.add(polygonIndex)
    covering[geometryIndex]! += isEntered ? 1 : -1
    present[geometryIndex] = covering[geometryIndex]! > 0
    const included = isIncluded(present)
    if (included && !west) west = side
    else if (!included && west) {
      yield { south, north, west: [west.south, west.north], east: [side.south, side.north] }
      west = null
    }
  }
}

// Edges along a parallel are not a side of a slab.
function edgesOf(rings: readonly Ring[], geometryIndex: number, polygonIndex: number): Edge[] {
  const indexes = { geometryIndex, polygonIndex }
  return rings.flatMap((ring) =>
    ring.slice(1).flatMap(([bx, by], at): Edge[] => {
      const [ax, ay] = ring[at]!
      if (ay === by) return []
      return [ay < by ? { ...indexes, x0: ax, y0: ay, x1: bx, y1: by } : { ...indexes, x0: bx, y0: by, x1: ax, y1: ay }]
    }),
  )
}

/** The latitudes of all vertices and crossings, in ascending order. */
function slabLatitudes(edges: readonly Edge[], budget: StepBudget): number[] {
  const levels = new Set(edges.flatMap((edge) => [edge.y0, edge.y1]))
  let active: Edge[] = []
  for (const edge of edges) {
    active = active.filter((other) => other.y1 > edge.y0)
    requireSteps(budget, active.length)
    for (const other of active) {
      const crossing = crossingLatitude(edge, other)
      if (crossing !== null) levels.add(crossing)
    }
    active.push(edge)
  }
  return [...levels].sort((a, b) => a - b)
}

function crossingLatitude(p: Edge, q: Edge): number | null {
  if (Math.max(p.x0, p.x1) < Math.min(q.x0, q.x1) || Math.max(q.x0, q.x1) < Math.min(p.x0, p.x1)) return null
  const south = Math.max(p.y0, q.y0)
  const north = Math.min(p.y1, q.y1)
  const below = xAt(p, south) - xAt(q, south)
  const above = xAt(p, north) - xAt(q, north)
  if (below === 0 || above === 0 || below > 0 === above > 0) return null
  const latitude = south + ((north - south) * below) / (below - above)
  return latitude > south && latitude < north ? latitude : null
}

function xAt({ x0, y0, x1, y1 }: Edge, latitude: number): number {
  if (latitude === y0) return x0
  return latitude === y1 ? x1 : x0 + ((x1 - x0) * (latitude - y0)) / (y1 - y0)
}
