type Point = readonly [x: number, y: number, ...rest: number[]]

export interface CrossingRing {
  readonly positions: readonly Point[]
}

export interface Crossing {
  /** Index of a ring and of an edge of it that crosses another. */
  readonly ring: number
  readonly edge: number
  readonly near: Point
}

interface Edge {
  readonly ring: number
  readonly edge: number
  /** Number of edges of the ring, to recognize adjacent edges. */
  readonly count: number
  readonly a: Point
  readonly b: Point
  readonly left: number
  readonly right: number
  readonly low: number
  readonly high: number
}

/**
 * The first pair of edges that cross or overlap, or null. Edges of one ring may meet only if they are consecutive; edges
 * of different rings may touch in single points (a hole may touch the outer ring), but not cross. A sweep line from left
 * to right compares only edges that overlap in x.
 */
export function findCrossing(rings: readonly CrossingRing[]): Crossing | null {
  const edges = rings.flatMap((ring, index) => edgesOf(ring.positions, index)).sort((p, q) => p.left - q.left)
  const active: Edge[] = []
  for (const edge of edges) {
    let activeCount = 0
    for (const other of active) {
      if (other.right < edge.left) continue
      active[activeCount++] = other
      if (edge.high < other.low || other.high < edge.low) continue
      if (isForbiddenCrossing(edge, other)) return { ring: edge.ring, edge: edge.edge, near: edge.a }
    }
    active.length = activeCount
    active.push(edge)
  }
  return null
}

// Repeated positions are not an edge.
function edgesOf(positions: readonly Point[], ring: number): Edge[] {
  const distinct = positions.flatMap((position, at) => {
    const previous = positions[at - 1]
    return previous && previous[0] === position[0] && previous[1] === position[1] ? [] : [{ position, at }]
  })
  const count = distinct.length - 1
  return distinct.slice(0, -1).map(({ position: a }, index): Edge => {
    const b = distinct[index + 1]!.position
    const [left, right] = a[0] < b[0] ? [a[0], b[0]] : [b[0], a[0]]
    const [low, high] = a[1] < b[1] ? [a[1], b[1]] : [b[1], a[1]]
    return { ring, edge: index, count, a, b, left, right, low, high }
  })
}

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
