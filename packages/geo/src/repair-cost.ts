import { createEdgeTable, sideOf, visitEdgePairs, type EdgePairVisitor } from './edge-pairs.ts'
import { createStepBudget, spendSteps, type StepBudget } from './step-budget.ts'

type Positions = readonly (readonly number[])[]

/**
 * Milliseconds that PostGIS takes to make a geometry valid on the embedded database, measured and rounded. Its work
 * grows with the number of errors, not with the size: 300 random positions cross ten thousand times and take half a
 * minute.
 */
const costs_ms = {
  /** Of each pair of edges that cross, or overlap in part. */
  crossing: 1,
  /** Of each pair of equal edges. */
  repeated_edge: 0.01,
  /** Of each pair of rings whose boxes overlap, the holes of a polygon with its outer ring excepted. */
  ring_pair: 0.03,
  /**
   * Of each pair of edges of lines that cross, when a relation is computed: lines are stored as they are. Some ten times what was measured,
   * 1.5 µs, because a search computes it for many items.
   */
  line_crossing: 0.03,
  /** The same in a collection, which is united before: measured were 10 µs. */
  united_crossing: 0.2,
} as const

/** The time left for making the geometries of one call valid, and for counting their errors. */
export interface GeometryRepairBudget extends StepBudget {
  remaining_ms: number
}

export const createGeometryRepairBudget = (remaining_ms: number): GeometryRepairBudget => ({
  remaining_ms,
  ...createStepBudget(),
})

/**
 * Takes the time from the budget that PostGIS needs to make areas valid; false if too little is left, or if counting
 * the errors takes too long. A valid geometry costs nothing, unless many of its rings lie around each other.
 *
 * @param polygons lists of closed rings, the outer one first.
 */
export function spendGeometryRepairBudget(
  polygons: readonly (readonly Positions[])[],
  budget: GeometryRepairBudget,
): boolean {
  const ring_pairs = countRingPairs(polygons, budget)
  return spendCrossings(polygons.flat(), budget, costs_ms, ring_pairs * costs_ms.ring_pair)
}

/**
 * Takes the time from the budget that PostGIS needs to cut lines where they cross; false if too little is left. A GPS track of 90,000
 * positions crosses itself some thousand times, 50 ms; 300 random positions cross ten thousand times, 300 ms.
 */
export function spendLineBudget(
  lines: readonly Positions[],
  budget: GeometryRepairBudget,
  { isCollection }: { readonly isCollection: boolean },
): boolean {
  const crossing = isCollection ? costs_ms.united_crossing : costs_ms.line_crossing
  return spendCrossings(lines, budget, { crossing, repeated_edge: crossing })
}

function spendCrossings(
  lines: readonly Positions[],
  budget: GeometryRepairBudget,
  { crossing, repeated_edge }: { readonly crossing: number; readonly repeated_edge: number },
  start_ms = 0,
): boolean {
  let cost_ms = start_ms
  if (cost_ms > budget.remaining_ms) return false
  const edges = createEdgeTable(lines)
  const addPair: EdgePairVisitor = (p, q, isInStrip) => {
    const meeting = meetingPoint(edges.ends, 4 * p, 4 * q)
    if (meeting !== null && isInStrip(...meeting))
      cost_ms += areEqual(edges.ends, 4 * p, 4 * q) ? repeated_edge : crossing
    return cost_ms > budget.remaining_ms
  }
  if (visitEdgePairs(edges, addPair, budget) !== 'all') return false
  budget.remaining_ms -= cost_ms
  return true
}

/** The point at which two edges cross or begin to overlap; null if they do neither, such as edges that touch in a point. */
function meetingPoint(ends: Float64Array, p: number, q: number): readonly [x: number, y: number] | null {
  const [pa, pb] = [sideOf(ends, q, p), sideOf(ends, q, p + 2)]
  if (pa === 0 && pb === 0) return overlapStart(readEnds(ends, p), readEnds(ends, q))
  const isSplit = areOpposite(pa, pb) && areOpposite(sideOf(ends, p, q), sideOf(ends, p, q + 2))
  if (!isSplit) return null
  const share = pa / (pa - pb)
  const [ax, ay, bx, by] = readEnds(ends, p)
  return [ax + share * (bx - ax), ay + share * (by - ay)]
}

/** Not the sign of the product, which is 0 for numbers that are small enough. */
const areOpposite = (a: number, b: number): boolean => (a < 0 && b > 0) || (a > 0 && b < 0)

type Ends = readonly [ax: number, ay: number, bx: number, by: number]

const readEnds = (ends: Float64Array, edge: number): Ends => [
  ends[edge]!,
  ends[edge + 1]!,
  ends[edge + 2]!,
  ends[edge + 3]!,
]

/** The beginning of the common part of two edges of one straight line; null if it is at most a point. */
function overlapStart([pax, pay, pbx, pby]: Ends, [qax, qay, qbx, qby]: Ends): readonly [x: number, y: number] | null {
  const [left, right] = [
    Math.max(Math.min(pax, pbx), Math.min(qax, qbx)),
    Math.min(Math.max(pax, pbx), Math.max(qax, qbx)),
  ]
  const [low, high] = [
    Math.max(Math.min(pay, pby), Math.min(qay, qby)),
    Math.min(Math.max(pay, pby), Math.max(qay, qby)),
  ]
  return left <= right && low <= high && (left < right || low < high) ? [left, low] : null
}

const areEqual = (ends: Float64Array, p: number, q: number): boolean =>
  (isSame(ends, p, q) && isSame(ends, p + 2, q + 2)) || (isSame(ends, p, q + 2) && isSame(ends, p + 2, q))

const isSame = (ends: Float64Array, p: number, q: number): boolean => ends[p] === ends[q] && ends[p + 1] === ends[q + 1]

interface RingBox {
  readonly polygon: number
  readonly isOuter: boolean
  readonly left: number
  readonly right: number
  readonly low: number
  readonly high: number
}

/** Infinity if they cost more than the budget has. */
function countRingPairs(polygons: readonly (readonly Positions[])[], budget: GeometryRepairBudget): number {
  const max_pairs = budget.remaining_ms / costs_ms.ring_pair
  const boxes = polygons
    .flatMap((rings, polygon) => rings.map((ring, index) => boxOf(ring, polygon, index === 0)))
    .sort((a, b) => a.left - b.left)
  let pairs = 0
  const active: RingBox[] = []
  for (const box of boxes) {
    let active_count = 0
    for (const other of active) {
      if (other.right < box.left) continue
      active[active_count++] = other
      if (!spendSteps(budget, 1)) return Infinity
      if (other.high < box.low || box.high < other.low) continue
      const isHoleOf = box.polygon === other.polygon && (box.isOuter || other.isOuter)
      if (!isHoleOf && ++pairs > max_pairs) return Infinity
    }
    active.length = active_count
    active.push(box)
  }
  return pairs
}

function boxOf(ring: Positions, polygon: number, isOuter: boolean): RingBox {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const [x, y] of ring) {
    left = Math.min(left, x!)
    right = Math.max(right, x!)
    low = Math.min(low, y!)
    high = Math.max(high, y!)
  }
  return { polygon, isOuter, left, right, low, high }
}
