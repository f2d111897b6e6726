import { createEdgeTable, sideOf, visitEdgePairs, type EdgeTable } from './edge-pairs.ts'
import { createStepBudget, type StepBudget } from './step-budget.ts'

type Point = readonly [x: number, y: number, ...rest: number[]]

export interface CrossingTestRing {
  readonly positions: readonly Point[]
}

export interface EdgeCrossing {
  /** Index of a ring and of an edge of it that crosses another. */
  readonly ring: number
  readonly edge: number
  readonly near: Point
}

/**
 * A pair of edges that cross or overlap, or null; `too-complex` if the search would take long, because many long edges
 * lie beside each other. Edges of one ring may meet only if they are consecutive; edges of different rings may touch in
 * single points (a hole may touch the outer ring), but not cross.
 */
export function findEdgeCrossing(
  rings: readonly CrossingTestRing[],
  budget: StepBudget = createStepBudget(),
): EdgeCrossing | 'too-complex' | null {
  const edges = createEdgeTable(rings.map(({ positions }) => positions))
  let found: EdgeCrossing | null = null
  const outcome = visitEdgePairs(
    edges,
    (p, q) => {
      if (sideOf(edges.ends, 4 * q, 4 * p) * sideOf(edges.ends, 4 * q, 4 * p + 2) > 0) return false
      const edge = readEdge(edges, p)
      if (!areNear(edge, readEdge(edges, q)) || !isForbiddenCrossing(edge, readEdge(edges, q))) return false
      found = { ring: edge.ring, edge: edge.edge, near: edge.a }
      return true
    },
    budget,
  )
  return outcome === 'exhausted' ? 'too-complex' : found
}

interface Edge {
  readonly ring: number
  readonly edge: number
  /** Number of edges of the ring, to recognize adjacent edges. */
  readonly count: number
  readonly a: Point
  readonly b: Point
}

const readEdge = ({ ends, line, place, line_counts }: EdgeTable, index: number): Edge => ({
  ring: line[index]!,
  edge: place[index]!,
  count: line_counts[line[index]!]!,
  a: [ends[4 * index]!, ends[4 * index + 1]!],
  b: [ends[4 * index + 2]!, ends[4 * index + 3]!],
})

const areNear = (p: Edge, q: Edge): boolean =>
  Math.max(p.a[1], p.b[1]) >= Math.min(q.a[1], q.b[1]) && Math.max(q.a[1], q.b[1]) >= Math.min(p.a[1], p.b[1])

function isForbiddenCrossing(p: Edge, q: Edge): boolean {
  const pa = orientation(q.a, q.b, p.a)
  const pb = orientation(q.a, q.b, p.b)
  const qa = orientation(p.a, p.b, q.a)
  const qb = orientation(p.a, p.b, q.b)
  if (pa * pb < 0 && qa * qb < 0) return true
  if (pa === 0 && pb === 0)
    return overlapLength(p, q) > 0 || (!areAdjacent(p, q) && p.ring === q.ring && sharesPoint(p, q))
  if (p.ring !== q.ring || areAdjacent(p, q)) return false
  return (
    (pa === 0 && isInEdgeBounds(p.a, q)) ||
    (pb === 0 && isInEdgeBounds(p.b, q)) ||
    (qa === 0 && isInEdgeBounds(q.a, p)) ||
    (qb === 0 && isInEdgeBounds(q.b, p))
  )
}

function areAdjacent(p: Edge, q: Edge): boolean {
  if (p.ring !== q.ring) return false
  const apart = Math.abs(p.edge - q.edge)
  return apart === 1 || apart === p.count - 1
}

function orientation(a: Point, b: Point, c: Point): number {
  return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
}

function isInEdgeBounds([x, y]: Point, { a, b }: Edge): boolean {
  return (
    x >= Math.min(a[0], b[0]) && x <= Math.max(a[0], b[0]) && y >= Math.min(a[1], b[1]) && y <= Math.max(a[1], b[1])
  )
}

// The length of the overlap of two collinear edges.
function overlapLength(p: Edge, q: Edge): number {
  const axis = Math.abs(p.a[0] - p.b[0]) >= Math.abs(p.a[1] - p.b[1]) ? 0 : 1
  const low = Math.max(Math.min(p.a[axis], p.b[axis]), Math.min(q.a[axis], q.b[axis]))
  const high = Math.min(Math.max(p.a[axis], p.b[axis]), Math.max(q.a[axis], q.b[axis]))
  return high - low
}

function sharesPoint(p: Edge, q: Edge): boolean {
  return overlapLength(p, q) === 0
}
